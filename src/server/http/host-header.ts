/**
 * Whether a request names one host: with several, a cache in front of the server could keep the page of one host for another
 * (RFC 9112, 3.2). `rawHeaders`: names and values in turn. `url`: as sent, which may be a whole address.
 */
export function namesOneHost({ rawHeaders, url }: { rawHeaders: readonly string[]; url: string }): boolean {
  const hosts = rawHeaders.filter(
    (_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  )
  const [, named] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  const different = new Set([...hosts, named].filter((host) => host !== undefined))
  return different.size <= 1 && hosts.length <= 1 && [...different].every(isHost)
}

const NAME = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::(\d{1,5}))?$/i
const MAX_PORT = 65_535

/** Whether a text is a host name or address with an optional port, and nothing else. Domains with other letters are punycode. */
function isHost(host: string): boolean {
  const [isOne, port = '0'] = NAME.exec(host.trim()) ?? []
  return isOne !== undefined && Number(port) <= MAX_PORT
}
