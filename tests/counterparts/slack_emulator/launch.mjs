// emulate's Slack on 127.0.0.1, made to send events, which nothing outside of it can ask for:
//
//     node launch.mjs FOLDER_OF_EMULATE PORT SEED.json
//
// POST /subscribe {"url": ...} sends events there from then on, and nowhere else. What they lack is added: the app and the
// installation they are for, and app_mention beside a message that mentions it. Markdown becomes the block for it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, port, seedFile] = process.argv.slice(2)
const dist = join(folder, 'dist')
const read = (path) => readFileSync(path, 'utf8')
const load = (name) => import(pathToFileURL(join(dist, name)))
const isSlack = (name) => /^dist-.*\.js$/.test(name) && read(join(dist, name)).includes('slackPlugin')

const seed = JSON.parse(read(seedFile))
const [agent] = seed.slack.oauth_apps
const { slackPlugin } = await load(readdirSync(dist).find(isSlack))
const { createEmulator } = await load('api.js')

const register = slackPlugin.register
slackPlugin.register = function (app, store, webhooks, ...rest) {
  takeMarkdown(app)
  completeEvents(webhooks)
  app.post('/subscribe', async (context) => {
    const { url } = await context.req.json()
    webhooks.clear()
    return context.json(webhooks.register({ url, events: ['*'], active: true, owner: 'slack' }))
  })
  register.call(this, app, store, webhooks, ...rest)
}
await createEmulator({ service: 'slack', port: Number(port), baseUrl: `http://127.0.0.1:${port}`, seed })

function takeMarkdown(app) {
  const answer = app.fetch
  app.fetch = async (request) => {
    const { url, method, headers } = request
    if (!headers.get('content-type')?.includes('x-www-form-urlencoded')) return answer(request)
    const form = new URLSearchParams(await request.text())
    const text = form.get('markdown_text')
    if (text !== null) form.set('blocks', JSON.stringify([{ type: 'markdown', text }]))
    return answer(new Request(url, { method, headers, body: form.toString() }))
  }
}

function completeEvents(webhooks) {
  const dispatch = webhooks.dispatch.bind(webhooks)
  const installation = { user_id: agent.bot_user_id, is_bot: true, is_enterprise_install: false }
  const send = (name, { team_id, ...envelope }, owner) => {
    const authorizations = [{ team_id, ...installation }]
    return dispatch(name, undefined, { team_id, api_app_id: agent.app_id, ...envelope, authorizations }, owner)
  }
  webhooks.dispatch = async (name, action, envelope, owner) => {
    const { event, event_id } = envelope
    await send(name, envelope, owner)
    if (name === 'message' && !event.subtype && event.text.includes(`<@${agent.bot_user_id}>`)) {
      const mention = { ...envelope, event_id: `${event_id}M`, event: { ...event, type: 'app_mention' } }
      await send('app_mention', mention, owner)
    }
  }
}
