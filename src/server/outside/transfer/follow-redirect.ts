import { type Bounds, type Remote, TransferFailure } from './remote.ts'

/**
 * The file that a redirect leads to. It has the same guard as the file that redirects, and no password unless it is on the same
 * server.
 * @throws TransferFailure if it isn't HTTPS, or has a port that isn't allowed
 */
export function followRedirect(current: Remote, location: string, { ports }: Pick<Bounds, 'ports'>): Remote {
  const at = new URL(location, `https://${current.host}:${current.port}${current.path}`)
  if (at.protocol !== 'https:') {
    throw new TransferFailure(current, 'file', 'It redirects to a URL without HTTPS.')
  }
  const port = at.port === '' ? 443 : Number(at.port)
  if (ports !== undefined && !ports.includes(port)) {
    throw new TransferFailure(current, 'file', `It redirects to port ${port}, which is not allowed.`)
  }
  const isSame = at.hostname === current.host && port === current.port
  return {
    ...current,
    host: at.hostname,
    port,
    path: `${at.pathname}${at.search}`,
    ...(!isSame && { user: null, secret: null }),
  }
}
