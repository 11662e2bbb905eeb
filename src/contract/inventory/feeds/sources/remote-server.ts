import { z } from 'zod'
import { optionalLine } from '#contract/fields.ts'
import { ServerHost, ServerPort } from '#contract/server-address.ts'
import { isStarred, splitPath } from '#contract/starred-path.ts'
import { today } from '#contract/today.ts'

/** Parts of a day, with what may stand between them. */
const DAY_WORDS = /\{((?:yyyy|yy|MM|dd|[-_.])+)\}/g

/** The fields of a file on a machine outside, and of when it is brought or fetched. */
export const filePlace = {
  host: ServerHost,
  port: ServerPort,
  /** Folder and name of the file there; for HTTPS the path of the address. */
  remotePath: optionalLine(500, 'File').pipe(
    z
      .string()
      .refine(isFilePath, 'Name a file, such as /inbound/vehicles.csv, without "..".')
      .refine(hasDaysOnly, 'In braces stand yyyy, yy, MM and dd alone, such as stock_{yyyy-MM-dd}.csv.')
      .nullish()
      .transform((path) => path ?? null),
  ),
  userName: optionalLine(200, 'User').transform((name) => name ?? null),
  /** A password, a private key in PEM, or for HTTPS a bearer. Empty or not there: the kept one stays. */
  secret: z
    .string('The secret must be text.')
    .max(20_000, 'A key may have at most 20000 characters.')
    .nullish()
    .transform((secret) => (secret?.trim() ? secret : null)),
  /** Null beside a null `dailyAt`: only when somebody asks for it. */
  everyHours: z
    .number('Hours must be a number.')
    .int('Hours must be a whole number.')
    .min(1, 'At least every hour.')
    .max(168, 'At most every 168 hours, a week.')
    .nullable(),
  /** In the zone of the customer. */
  dailyAt: z
    .string('Give a time of day such as 06:30.')
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Give a time of day such as 06:30.')
    .nullable(),
}

/**
 * The path of a file on a day: in `stock_{yyyy-MM-dd}.csv` braces stand for the day it is there.
 * @param zone of the customer, such as America/Los_Angeles
 */
export function pathOn(path: string, { at, zone }: { at: Date; zone: string }): string {
  const [year = '', month = '', date = ''] = today(zone, at).split('-')
  const parts = { yyyy: year, yy: year.slice(-2), MM: month, dd: date }
  return path.replaceAll(DAY_WORDS, (_all, inner: string) =>
    inner
      .replaceAll('yyyy', parts.yyyy)
      .replaceAll('yy', parts.yy)
      .replaceAll('MM', parts.MM)
      .replaceAll('dd', parts.dd),
  )
}

function hasDaysOnly(path: string): boolean {
  return !/[{}]/.test(path.replaceAll(DAY_WORDS, ''))
}

function isFilePath(path: string): boolean {
  return !/(?:^|\/)\.\.?(?:\/|$)|\\|\/$/.test(path)
}

/** Whether a text names a folder, and nothing above it or of any day. */
export function isFolderPath(path: string): boolean {
  return !/(?:^|\/)\.\.?(?:\/|$)|[\\*{}]/.test(path)
}

/** What does not fit together of a file that is sent or fetched, a sentence for each field. */
export function placeFlaws(place: {
  protocol: string
  host: string | null
  remotePath: string | null
  userName: string | null
}): Record<string, string> {
  const flaws: Record<string, string> = {}
  if (place.host === null) flaws.host = 'Server is required.'
  if (place.remotePath === null) flaws.remotePath = 'File is required.'
  if ((place.protocol === 'sftp' || place.protocol === 'ftps') && place.userName === null) {
    flaws.userName = 'User is required.'
  }
  return flaws
}

/**
 * Whether the path means the newest of several files. What stands behind the question mark of an address of the web is no
 * name.
 */
export function isPattern({ protocol, path }: { protocol: string; path: string }): boolean {
  return isStarred(protocol === 'https' ? path.replace(/\?.*$/, '') : path)
}

/** What is wrong with the stars of a path, as a sentence; null: nothing. */
export function starFlaw({ protocol, path }: { protocol: string; path: string }): string | null {
  if (!isPattern({ protocol, path })) return null
  if (protocol === 'https') {
    return 'HTTPS lists no folder, so that a star finds nothing. Name the one file, or fetch by SFTP or FTP.'
  }
  if (!isStarred(splitPath(path).folder)) return null
  return 'A star may stand in the name of the file, not in its folder, such as /out/vehicles_*.csv.'
}

/** Two schedules at once are none. */
export function scheduleFlaws(schedule: {
  everyHours: number | null
  dailyAt: string | null
}): Record<string, string> {
  if (schedule.everyHours === null || schedule.dailyAt === null) return {}
  return { dailyAt: 'Choose hours or a time of day, not both.' }
}
