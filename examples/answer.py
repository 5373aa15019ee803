"""Answer the person who asked, where they asked: the whole of an agent's way through Tertulia.

    tertulia normalize | jq '.events[0]' > event.json       # in a workflow, or from a file
    GITHUB_TOKEN=... python examples/answer.py event.json   # or SLACK_BOT_TOKEN=...

The same `answer` works for an issue, a discussion and a chat thread: only the import of the adapter changes.
"""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from tertulia import ledger, thread
from tertulia.event import Event


async def answer(client: thread.Threads, event: Event, store: ledger.Store) -> None:
    """Read what may be read, let the agent think, and post its answer once."""
    ref = thread.ThreadRef.of(event)  # conversation and root: the safe place to reply
    context = await ledger.read(client, ref, trigger=event, store=store)
    text = await agent(context.text)  # yours
    await client.post(ref, thread.Draft(body=text, agent="helper", key=f"{event.key}/helper", since=event.time))


async def agent(context: str) -> str:
    """Stand for a model: count what it was given."""
    return f"I read {len(context.splitlines())} lines."


def connect(event: Event) -> AbstractAsyncContextManager[thread.Threads]:
    """Connect to where an event is from, with a token from the environment. An agent for one place needs one adapter."""
    if event.source.system == "slack":
        import tertulia_conversation_slack as slack

        return slack.connect()
    if event.entity.kind == "conversation":
        import tertulia_conversation_github as discussions

        return discussions.connect()
    import tertulia_tracker.github as github

    return github.connect()


async def main(event: Event) -> None:
    """Answer one event."""
    async with connect(event) as client:
        await answer(client, event, ledger.SqliteStore("ledger.sqlite"))


if __name__ == "__main__":
    asyncio.run(main(Event.parse(Path(sys.argv[1]).read_bytes())))
