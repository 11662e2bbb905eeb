import { isMeant, splitPath } from '#contract/starred-path.ts'
import { type Bounds, NoSuchFile, type Remote, TransferFailure } from './remote.ts'

/** A name in a folder listing. */
export type Listed = { name: string; isFolder: boolean; changedAt: Date | null }

/** The properties that decide which of two files is newer. */
type Aged = Pick<Listed, 'name' | 'changedAt'>

/** Collects the newest matching files of a listing, one name at a time, and discards the rest. */
export type NewestFile = {
  folder: string
  add: (listed: Listed) => void
  /** The matches, newest first, then by name in descending order; at most `kept`. @throws NoSuchFile if none match */
  found: () => readonly [Listed, ...Listed[]]
}

/** The number of example names in the message when no file matches. */
const EXAMPLES = 3

/**
 * Finds the newest file that matches the name in a remote's path.
 * @param kept how many matches to remember: one if every name has a time, else the number whose times will be requested.
 */
export function newestFile(remote: Remote, { maxNames }: Bounds, kept = 1): NewestFile {
  const { folder, name: pattern } = splitPath(remote.path)
  const others: string[] = []
  let best: Listed[] = []
  let files = 0
  let names = 0
  return {
    folder,
    add(listed) {
      names += 1
      if (names > maxNames) throw tooMany(remote, maxNames)
      const { name, isFolder } = listed
      // A slash would mean a file elsewhere, and a line break another command.
      if (isFolder || name === '' || /[/\\\p{Cc}]/u.test(name)) return
      files += 1
      if (isMeant(name, pattern)) {
        best.push(listed)
        if (best.length > 2 * kept) best = best.toSorted(newestFirst).slice(0, kept)
      } else if (others.length < EXAMPLES) others.push(name.slice(0, 100))
    },
    found() {
      const [first, ...rest] = best.toSorted(newestFirst).slice(0, kept)
      if (first === undefined)
        throw new NoSuchFile(remote, describeNoMatch({ pattern, folder, files, others }))
      return [first, ...rest]
    },
  }
}

/** Sort order: newest first, files without a time last. */
export function newestFirst(one: Aged, other: Aged): number {
  const [first, second] = [one, other].map(({ changedAt }) => changedAt?.getTime() ?? -Infinity)
  if (first !== second && first !== undefined && second !== undefined) return first > second ? -1 : 1
  if (one.name === other.name) return 0
  return one.name > other.name ? -1 : 1
}

/** @param maxNames the most names a folder may have */
export function tooMany(remote: Remote, maxNames: number): TransferFailure {
  return new TransferFailure(
    remote,
    'file',
    `The folder has more than ${maxNames.toLocaleString('en-US')} files, which is too many to search. Have old files removed, or give the exact file name.`,
  )
}

function describeNoMatch({
  pattern,
  folder,
  files,
  others,
}: {
  pattern: string
  folder: string
  files: number
  others: readonly string[]
}): string {
  const there = folder === '' ? 'the initial folder' : folder
  if (files === 0) return `No file in ${there} matches ${pattern}. The folder is empty.`
  const count = files === 1 ? '1 file' : `${files.toLocaleString('en-US')} files`
  return `No file in ${there} matches ${pattern}. The folder has ${count}, such as ${others.join(', ')}.`
}
