"""Slack's own markup, as Markdown."""

import pytest

from tertulia_conversation_slack._mrkdwn import fenced, from_mrkdwn, spanned


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("plain text", "plain text"),
        ("*bold* _it_ ~gone~", "**bold** _it_ ~~gone~~"),
        ("(*bold*), *two words*!", "(**bold**), **two words**!"),
        ("*bold _and it_ ~too~*", "**bold _and it_ ~~too~~**"),
        ("snake_case_name 2*3*4 a~b~c", "snake_case_name 2*3*4 a~b~c"),
        ("* no* *no * _ _ **", "* no* *no * _ _ **"),
        ("*over\ntwo*", "*over\ntwo*"),
        ("*see <https://x.example/a_b_c|the_page>*", "**see [the_page](https://x.example/a_b_c)**"),
        ("<https://x.example/_a_/*b*>", "https://x.example/_a_/*b*"),
        (":tada: :wave::skin-tone-2:", ":tada: :wave::skin-tone-2:"),
    ],
)
def test_emphasis_is_slack_s_and_becomes_markdown_s(text: str, made: str) -> None:
    assert from_mrkdwn(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("/assert a &lt; b &amp;&amp; c &gt; d &amp;amp;", "/assert a < b && c > d &amp;"),
        ("&lt;!channel&gt; &lt;@U1&gt;", "<!channel> <@U1>"),
        ("&quot; &#39; &nbsp;", "&quot; &#39; &nbsp;"),
        ("<https://x.example/?a=1&amp;b=&amp;lt;|a &amp; b>", "[a & b](https://x.example/?a=1&b=&lt;)"),
        ("`a &lt; &amp;lt;`", "`a < &lt;`"),
    ],
)
def test_entities_are_decoded_once_after_tokens_were_read(text: str, made: str) -> None:
    assert from_mrkdwn(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("<@U0ANNA> <@U0ANNA|anna>", "<@U0ANNA> <@U0ANNA>"),
        ("<#C0HELP|help> <#C0HELP> <#C0HELP|>", "#help <#C0HELP> <#C0HELP>"),
        ("<!here> <!channel|channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@triage> <!subteam^S1|triage> <!subteam^S1>", "@triage @triage <!subteam^S1>"),
        ("<!date^1740823500^{date}|1 March> <!new^x>", "1 March <!new^x>"),
        ("<https://x.example>", "https://x.example"),
        ("<https://x.example|https://x.example>", "https://x.example"),
        ("<http://x.example|x.example> <mailto:a@x.example|a@x.example>", "x.example a@x.example"),
        ("<https://x.example|see here>", "[see here](https://x.example)"),
        ("<https://x.example|http://other.example>", "[http://other.example](https://x.example)"),
        ("<https://x.example/(a)|[a]>", r"[\[a\]](<https://x.example/(a)>)"),
        ("a < b <", "a < b <"),
    ],
)
def test_tokens_become_what_they_show(text: str, made: str) -> None:
    assert from_mrkdwn(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("`*a* _b_`", "`*a* _b_`"),
        ("`<https://x.example|x> <@U1>`", "`x <@U1>`"),
        ("*`code`*", "**`code`**"),
        ("see ```a *b*\n  <https://x.example>``` there", "see \n```\na *b*\n  https://x.example\n```\n there"),
        ("```\na\n```", "```\na\n```"),
        ("```a```\n```b```", "```\na\n```\n```\nb\n```"),
        ("``` never closed\n*a*", "``` never closed\n**a**"),
        ("``", "``"),
    ],
)
def test_code_is_left_alone_and_blocks_stand_on_lines_of_their_own(text: str, made: str) -> None:
    assert from_mrkdwn(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("&gt; said\n/deploy", "> said\n\n/deploy"),
        ("&gt;said\n&gt;*more*\n\nno", ">said\n>**more**\n\nno"),
        ("&gt;&gt;&gt; all\nof it\n```a```", "> all\n> of it\n> ```\n> a\n> ```"),
        ("before\n&gt;&gt;&gt;after\n\nend", "before\n\n> after\n>\n> end"),
        ("a &gt; b", "a > b"),
        ("```a\n&gt;&gt;&gt; b```", "```\na\n>>> b\n```"),
    ],
)
def test_a_quote_ends_where_slack_ends_it(text: str, made: str) -> None:
    assert from_mrkdwn(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("• one\n    ◦ *two*\n        ▪︎ three\n• four", "- one\n    - **two**\n        - three\n- four"),
        ("todo:\n• one\n/deploy", "todo:\n- one\n\n/deploy"),
        ("```• a```", "```\n• a\n```"),
    ],
)
def test_bullets_are_lists(text: str, made: str) -> None:
    assert from_mrkdwn(text) == made


def test_backticks_in_code_need_more_of_them_around() -> None:
    assert spanned("a`b") == "``a`b``"
    assert spanned("`a") == "`` `a ``"
    assert fenced("```\n") == "````\n```\n````"
