import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A local mail server that accepts, rejects or defers emails as a test configures. */
export type FakeSmtpServer = {
  url: string
  /** The accepted emails, in raw form. */
  emails: { from: string; to: string[]; raw: string }[]
  /** The SMTP status by recipient address, or 0 to accept the email. */
  answers: Map<string, number>
  close: () => Promise<void>
}

export async function startFakeSmtpServer(): Promise<FakeSmtpServer> {
  const emails: FakeSmtpServer['emails'] = []
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
        emails.push({ from, to: rcptTo.map(({ address }) => address), raw })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: urlOf(listening.address()),
    emails,
    answers,
    close: () => new Promise((done) => server.close(done)),
  }
}

/** A server that accepts connections but never responds. */
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
