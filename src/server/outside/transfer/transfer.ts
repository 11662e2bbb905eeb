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

// Their packages are loaded when the first file travels that way.
const loadFtp = () => import('./ftp.ts')
const loadSftp = () => import('./sftp.ts')

/** A gigabyte, an hour, half a minute of silence, and folders as providers leave them when nobody tidies for years. */
const BOUNDS: Bounds = { maxBytes: 1_000_000_000, wholeMs: 3_600_000, stepMs: 30_000, maxNames: 200_000 }

/**
 * Fetches a file from a machine outside, as it comes; of those that a pattern means the newest.
 * @throws TransferFailure; so does the stream. NoSuchFile where there is none.
 */
export async function fetchFile(remote: Remote, bounds: Partial<Bounds> = {}): Promise<FetchedFile> {
  const within = { ...BOUNDS, ...bounds }
  if (remote.protocol === 'https') return fetchHttps(remote, within)
  if (remote.protocol === 'sftp') return (await loadSftp()).fetchSftp(remote, within)
  return (await loadFtp()).fetchFtp(remote, within)
}

/**
 * Deletes a file that was fetched, or moves it, where it still is the one that was fetched.
 * @returns where it lies now; null where it is deleted. @throws TransferFailure where it stays
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
      throw new TransferFailure(remote, 'the file', 'By HTTPS nothing is deleted or moved.')
  }
}

/**
 * Brings a file to a machine outside. It never lies under its own name before it is whole.
 * @returns the fingerprint of an SFTP server. @throws TransferFailure, or what `confirm` throws
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
      throw new TransferFailure(remote, 'the connection', 'Files are not sent without protection. Use FTPS.')
  }
}
