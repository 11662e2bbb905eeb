import { createHash } from 'node:crypto'
import { type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client, type SFTPWrapper } from 'ssh2'
import {
  addressFor,
  asFailure,
  type Bounds,
  type FetchedFile,
  limited,
  type OutgoingFile,
  type Remote,
  temporaryPath,
  TransferFailure,
} from './remote.ts'

type Session = { sftp: SFTPWrapper; hostKey: string; end: () => void; failed: Promise<never> }

/** Fetches a file by SFTP. @throws TransferFailure */
export async function fetchSftp(remote: Remote, bounds: Bounds): Promise<FetchedFile> {
  const session = await connect(remote, bounds)
  const { sftp, hostKey, end, failed } = session
  const size = await statOf(sftp, remote.path).catch((error: unknown) => {
    end()
    throw asFailure(remote, 'the file', error)
  })
  if (size > bounds.maxBytes) {
    end()
    throw new TransferFailure(remote, 'the file', `It has ${size} bytes, more than is taken.`)
  }
  const source = sftp.createReadStream(remote.path)
  const body = limited(remote, bounds)
  failed.catch((error: unknown) => body.destroy(asFailure(remote, 'the transfer', error)))
  source.on('error', (error: unknown) => body.destroy(asFailure(remote, 'the file', error)))
  body.once('close', end)
  source.pipe(body)
  return { body, hostKey }
}

/**
 * Sends a file by SFTP: under another name first, then under its own, in one step where the server can.
 * @returns the server's fingerprint. @throws TransferFailure, or what `confirm` throws
 */
export async function sendSftp(remote: Remote, bounds: Bounds, file: OutgoingFile): Promise<string> {
  const { sftp, hostKey, end, failed } = await connect(remote, bounds)
  const temporary = temporaryPath(remote.path, file.word)
  try {
    await Promise.race([failed, write(sftp, temporary, file.body)]).catch((error: unknown) => {
      throw asFailure(remote, 'the transfer', error)
    })
    await file.confirm().catch(async (error: unknown) => {
      await call((done) => sftp.unlink(temporary, done)).catch(() => {})
      throw error
    })
    await Promise.race([failed, publish(sftp, temporary, remote.path)]).catch((error: unknown) => {
      throw asFailure(remote, 'the file', error)
    })
    return hostKey
  } finally {
    end()
  }
}

function write(sftp: SFTPWrapper, path: string, body: Readable): Promise<void> {
  return pipeline(body, sftp.createWriteStream(path))
}

/** OpenSSH's own renaming replaces; the plain one may refuse what is there. */
async function publish(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  const isDone = await call((done) => sftp.ext_openssh_rename(from, to, done)).then(
    () => true,
    () => false,
  )
  if (isDone) return
  const first = await call((done) => sftp.rename(from, to, done)).then(
    () => null,
    (error: unknown) => error,
  )
  if (first === null) return
  await call((done) => sftp.unlink(to, done))
  await call((done) => sftp.rename(from, to, done))
}

async function connect(remote: Remote, bounds: Bounds): Promise<Session> {
  const host = await addressFor(remote, bounds)
  const client = new Client()
  let hostKey = ''
  let isRefused = false
  const timer = setTimeout(
    () => client.destroy().emit('error', new Error('It took too long and was given up.')),
    bounds.wholeMs,
  )
  const end = (): void => {
    clearTimeout(timer)
    client.end()
  }
  const failed = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('close', () => reject(new Error('The server hung up.')))
  })
  // Nobody may be listening any more once the file is through.
  failed.catch(() => {})
  const secret = remote.secret ?? ''
  const isKey = secret.includes('PRIVATE KEY-----')
  client.on('keyboard-interactive', (_name, _text, _language, prompts, answer) => {
    answer(prompts.map(() => secret))
  })
  try {
    const ready = new Promise<void>((done) => client.once('ready', done))
    client.connect({
      host,
      port: remote.port,
      username: remote.user ?? '',
      ...(isKey ? { privateKey: secret } : { password: secret, tryKeyboard: true }),
      readyTimeout: bounds.stepMs,
      keepaliveInterval: bounds.stepMs,
      keepaliveCountMax: 2,
      hostVerifier: (key: Buffer) => {
        hostKey = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
        isRefused = remote.hostKey !== null && remote.hostKey !== hostKey
        return !isRefused
      },
    })
    await Promise.race([ready, failed])
    const sftp = await Promise.race([failed, openSftp(client)])
    return { sftp, hostKey, end, failed }
  } catch (error) {
    end()
    if (isRefused) {
      throw new TransferFailure(
        remote,
        'the host key',
        `The server shows ${hostKey}, not ${remote.hostKey} as before. Nothing was sent to it.`,
      )
    }
    throw asFailure(remote, isAuthentication(error) ? 'signing in' : 'the connection', error)
  }
}

function isAuthentication(error: unknown): boolean {
  return (
    error instanceof Error &&
    (Reflect.get(error, 'level') === 'client-authentication' || /private key/i.test(error.message))
  )
}

function statOf(sftp: SFTPWrapper, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    sftp.stat(path, (error, stats) => (error ? reject(error) : resolve(stats.size)))
  })
}

function openSftp(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)))
  })
}

/** A call with a callback as a promise. What throws at once is refused as well. */
function call(start: (done: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()))
  })
}
