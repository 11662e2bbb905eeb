import { fetchFtp, sendFtp } from './ftp.ts'
import { fetchHttps, sendHttps } from './https.ts'
import { type Bounds, type FetchedFile, type OutgoingFile, type Remote, TransferFailure } from './remote.ts'
import { fetchSftp, sendSftp } from './sftp.ts'

/** A gigabyte, an hour, and half a minute of silence. */
const BOUNDS: Bounds = { maxBytes: 1_000_000_000, wholeMs: 3_600_000, stepMs: 30_000 }

/** Fetches a file from a machine outside, as it comes. @throws TransferFailure; so does the stream */
export function fetchFile(remote: Remote, bounds: Partial<Bounds> = {}): Promise<FetchedFile> {
  const within = { ...BOUNDS, ...bounds }
  if (remote.protocol === 'sftp') return fetchSftp(remote, within)
  return remote.protocol === 'https' ? fetchHttps(remote, within) : fetchFtp(remote, within)
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
      return { hostKey: await sendSftp(remote, within, file) }
    case 'ftps':
      await sendFtp(remote, within, file)
      return { hostKey: null }
    case 'https':
      await sendHttps(remote, within, file)
      return { hostKey: null }
    default:
      throw new TransferFailure(remote, 'the connection', 'Files are not sent without protection. Use FTPS.')
  }
}
