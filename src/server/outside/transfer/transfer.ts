import { fetchHttps, sendHttps } from './https.ts'
import {
  type Clearing,
  type Bounds,
  type FetchedFile,
  type FoundFile,
  type OutgoingFile,
  type Remote,
  TransferFailure,
} from './remote.ts'

// Loaded on first use.
const loadFtp = () => import('./ftp.ts')
const loadSftp = () => import('./sftp.ts')

/** 1 GB, 1 hour, 30 seconds without data, and enough names for folders that providers have not cleaned up for years. */
const BOUNDS: Bounds = { maxBytes: 1_000_000_000, totalMs: 3_600_000, stepMs: 30_000, maxNames: 200_000 }

/**
 * Fetches a file from a remote server as a stream. For a pattern, fetches the newest match.
 * @throws TransferFailure, also from the stream; NoSuchFile if there is none.
 */
export async function fetchFile(remote: Remote, bounds: Partial<Bounds> = {}): Promise<FetchedFile> {
  const within = { ...BOUNDS, ...bounds }
  if (remote.protocol === 'https') return fetchHttps(remote, within)
  if (remote.protocol === 'sftp') return (await loadSftp()).fetchSftp(remote, within)
  return (await loadFtp()).fetchFtp(remote, within)
}

/**
 * Deletes or moves a fetched file, unless it has changed since.
 * @returns its new path, or null if it was deleted. @throws TransferFailure if it was left in place
 */
export async function clearFile(
  remote: Remote,
  { file, by }: { file: FoundFile; by: Clearing },
  bounds: Partial<Bounds> = {},
): Promise<string | null> {
  const within = { ...BOUNDS, ...bounds }
  switch (remote.protocol) {
    case 'sftp':
      return (await loadSftp()).clearSftp(remote, within, { file, by })
    case 'ftps':
    case 'ftp':
      return (await loadFtp()).clearFtp(remote, within, { file, by })
    default:
      throw new TransferFailure(remote, 'file', 'Files cannot be deleted or moved over HTTPS.')
  }
}

/**
 * Sends a file to a remote server. It never has its final name before it is complete.
 * @returns the fingerprint of an SFTP server. @throws TransferFailure, or the error that `confirm` throws
 */
export async function sendFile(
  remote: Remote,
  file: OutgoingFile,
  bounds: Partial<Bounds> = {},
): Promise<{ hostKey: string | null }> {
  const within = { ...BOUNDS, ...bounds }
  switch (remote.protocol) {
    case 'sftp':
      return { hostKey: await (await loadSftp()).sendSftp(remote, within, file) }
    case 'ftps':
      await (await loadFtp()).sendFtp(remote, within, file)
      return { hostKey: null }
    case 'https':
      await sendHttps(remote, within, file)
      return { hostKey: null }
    default:
      throw new TransferFailure(remote, 'connection', 'Plain FTP is not allowed for sending files. Use FTPS.')
  }
}
