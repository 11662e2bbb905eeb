/** Where a file is, taken from its URL. Null values are not in the URL. */
export type FileUrl = {
  kind: 'https' | 'sftp' | 'ftps' | 'ftp'
  host: string
  port: number | null
  /** For HTTPS with the query string. */
  path: string
  userName: string | null
  secret: string | null
}

const KINDS = ['https', 'sftp', 'ftps', 'ftp'] as const

/**
 * The parts of a pasted URL such as `sftp://dealer@feeds.example.com:2222/out/vehicles.csv`; null if it isn't the URL of a file
 * on a server we can fetch from. Plain HTTP is not one of them: anyone on the way could change the prices.
 */
export function readFileUrl(text: string): FileUrl | null {
  const written = text.trim()
  if (!/^[a-z]+:\/\/\S+$/i.test(written) || !URL.canParse(written)) return null
  const { protocol, hostname, port, pathname, search, username, password } = new URL(written)
  const kind = KINDS.find((one) => `${one}:` === protocol)
  if (kind === undefined || hostname === '') return null
  return {
    kind,
    host: hostname,
    port: port === '' ? null : Number(port),
    path: kind === 'https' ? `${pathname}${search}` : decoded(pathname),
    userName: username === '' ? null : decoded(username),
    secret: password === '' ? null : decoded(password),
  }
}

/** A part of a URL without percent encoding; unchanged if the encoding is broken. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
