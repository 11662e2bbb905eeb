import { z } from 'zod'
import { optionalLine } from '#contract/fields.ts'
import { ServerHost, ServerPort } from '#contract/server-address.ts'
import { isStarred, splitPath } from '#contract/starred-path.ts'
import { today } from '#contract/today.ts'

/** A date placeholder: its parts and the separators allowed between them. */
const DATE_PLACEHOLDER = /\{((?:yyyy|yy|MM|dd|[-_.])+)\}/g

/** The fields of a file on a remote server, and of when it is sent or fetched. */
export const remoteFileFields = {
  host: ServerHost,
  port: ServerPort,
  /** Folder and name of the file on the server; for HTTPS the path of the URL. */
  remotePath: optionalLine(500, 'File path').pipe(
    z
      .string()
      .refine(isFilePath, 'Enter a file such as /inbound/vehicles.csv, without "..".')
      .refine(hasValidDates, 'Use only yyyy, yy, MM and dd in braces, such as stock_{yyyy-MM-dd}.csv.')
      .nullish()
      .transform((path) => path ?? null),
  ),
  userName: optionalLine(200, 'User name').transform((name) => name ?? null),
  /** A password, a private key in PEM, or for HTTPS a bearer token. Empty or absent: the stored one stays. */
  secret: z
    .string('The secret must be text.')
    .max(20_000, 'A key can have at most 20,000 characters.')
    .nullish()
    .transform((secret) => (secret?.trim() ? secret : null)),
  /** Null together with a null `dailyAt`: on demand only. */
  everyHours: z
    .number('Interval must be a number of hours.')
    .int('Interval must be a whole number of hours.')
    .min(1, 'Interval must be at least 1 hour.')
    .max(168, 'Interval can be at most 168 hours (one week).')
    .nullable(),
  /** In the customer's time zone. */
  dailyAt: z
    .string('Enter a time of day such as 06:30.')
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time of day such as 06:30.')
    .nullable(),
}

/**
 * The path of a file on a given day: `stock_{yyyy-MM-dd}.csv` with the date filled in.
 * @param zone the customer's time zone, such as America/Los_Angeles
 */
export function pathOn(path: string, { at, zone }: { at: Date; zone: string }): string {
  const [year = '', month = '', date = ''] = today(zone, at).split('-')
  const parts = { yyyy: year, yy: year.slice(-2), MM: month, dd: date }
  return path.replaceAll(DATE_PLACEHOLDER, (_all, inner: string) =>
    inner
      .replaceAll('yyyy', parts.yyyy)
      .replaceAll('yy', parts.yy)
      .replaceAll('MM', parts.MM)
      .replaceAll('dd', parts.dd),
  )
}

function hasValidDates(path: string): boolean {
  return !/[{}]/.test(path.replaceAll(DATE_PLACEHOLDER, ''))
}

function isFilePath(path: string): boolean {
  return !/(?:^|\/)\.\.?(?:\/|$)|\\|\/$/.test(path)
}

/** Whether a text is a plain folder path: no parent folders, dates or wildcards. */
export function isFolderPath(path: string): boolean {
  return !/(?:^|\/)\.\.?(?:\/|$)|[\\*{}]/.test(path)
}

/** What is missing to reach a remote file, a message for each field. */
export function serverErrors(server: {
  protocol: string
  host: string | null
  remotePath: string | null
  userName: string | null
}): Record<string, string> {
  const errors: Record<string, string> = {}
  if (server.host === null) errors.host = 'Server is required.'
  if (server.remotePath === null) errors.remotePath = 'File path is required.'
  if ((server.protocol === 'sftp' || server.protocol === 'ftps') && server.userName === null) {
    errors.userName = 'User name is required.'
  }
  return errors
}

/**
 * Whether the path matches several files, of which the newest is meant. The query string of a URL is not part of the name.
 */
export function isPattern({ protocol, path }: { protocol: string; path: string }): boolean {
  return isStarred(protocol === 'https' ? path.replace(/\?.*$/, '') : path)
}

/** What is wrong with the asterisks in a path; null if nothing is. */
export function wildcardError({ protocol, path }: { protocol: string; path: string }): string | null {
  if (!isPattern({ protocol, path })) return null
  if (protocol === 'https') {
    return "HTTPS can't list a folder, so asterisks don't work. Enter the exact file, or fetch by SFTP or FTP."
  }
  if (!isStarred(splitPath(path).folder)) return null
  return 'Use an asterisk in the file name only, not in the folder, such as /out/vehicles_*.csv.'
}

/** A schedule is either an interval or a time of day. */
export function scheduleErrors(schedule: {
  everyHours: number | null
  dailyAt: string | null
}): Record<string, string> {
  if (schedule.everyHours === null || schedule.dailyAt === null) return {}
  return { dailyAt: 'Enter an interval or a time of day, not both.' }
}
