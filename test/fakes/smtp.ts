import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail server of its own: it takes, refuses, or postpones what a test says, over a real connection. */
export type FakeSmtpServer = {
  url: string
  /** The mails it took, as they came over the wire. */
  taken: { from: string; to: string[]; raw: string }[]
  /** What it says to recipients by their address: a status of SMTP, or 0 to take the mail. */
  answers: Map<string, number>
  close: () => Promise<void>
}

export async function startFakeSmtpServer(): Promise<FakeSmtpServer> {
  const taken: FakeSmtpServer['taken'] = []
  const answers: FakeSmtpServer['answers'] = new Map()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username ?? '' }) : done(new Error('No such login.')),
    onRcptTo({ address }, _session, done) {
      const responseCode = answers.get(address) ?? 0
      done(responseCode === 0 ? null : Object.assign(new Error('Not for us.'), { responseCode }))
    },
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        taken.push({ from, to: rcptTo.map(({ address }) => address), raw })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: urlOf(listening.address()),
    taken,
    answers,
    close: () => new Promise((done) => server.close(done)),
  }
}

/** Takes connections and never says a word. */
export async function startSilentSmtpServer(): Promise<{ url: string; close: () => void }> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: urlOf(server.address()), close: () => server.close() }
}

function urlOf(address: unknown): string {
  const port: unknown = typeof address === 'object' && address !== null ? Reflect.get(address, 'port') : null
  return `smtp://127.0.0.1:${String(port)}`
}
