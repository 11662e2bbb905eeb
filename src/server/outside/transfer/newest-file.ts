import { isMeant, splitPath } from '#contract/starred-path.ts'
import { type Bounds, NoSuchFile, type Remote, TransferFailure } from './remote.ts'

/** A name of a folder as its server lists it. */
export type Listed = { name: string; isFolder: boolean; changedAt: Date | null }

/** What tells which of two files is the newer one. */
type Aged = Pick<Listed, 'name' | 'changedAt'>

/** What a folder is looked through with: each name is shown to it, and only those that matter stay. */
export type NewestFile = {
  folder: string
  see: (listed: Listed) => void
  /** The newest first, then by name from its end; at most `kept`. @throws NoSuchFile where none is meant */
  found: () => readonly [Listed, ...Listed[]]
}

/** So many names a message tells when none is meant. */
const EXAMPLES = 3

/**
 * Looks for the newest file that the name of a remote's path means.
 * @param kept so many are remembered: one where every name has its time, else as many as are asked for theirs.
 */
export function newestFile(remote: Remote, { maxNames }: Bounds, kept = 1): NewestFile {
  const { folder, name: pattern } = splitPath(remote.path)
  const others: string[] = []
  let best: Listed[] = []
  let files = 0
  let names = 0
  return {
    folder,
    see(listed) {
      names += 1
      if (names > maxNames) throw tooMany(remote, maxNames)
      const { name, isFolder } = listed
      // What has a slash in it would be a file elsewhere, and a line break another command.
      if (isFolder || name === '' || /[/\\\p{Cc}]/u.test(name)) return
      files += 1
      if (isMeant(name, pattern)) {
        best.push(listed)
        if (best.length > 2 * kept) best = best.toSorted(newestFirst).slice(0, kept)
      } else if (others.length < EXAMPLES) others.push(name.slice(0, 100))
    },
    found() {
      const [first, ...rest] = best.toSorted(newestFirst).slice(0, kept)
      if (first === undefined) throw new NoSuchFile(remote, noneMeant({ pattern, folder, files, others }))
      return [first, ...rest]
    },
  }
}

/** What has a time goes before what has none. */
export function newestFirst(one: Aged, other: Aged): number {
  const [first, second] = [one, other].map(({ changedAt }) => changedAt?.getTime() ?? -Infinity)
  if (first !== second && first !== undefined && second !== undefined) return first > second ? -1 : 1
  if (one.name === other.name) return 0
  return one.name > other.name ? -1 : 1
}

/** @param maxNames that one may have at most */
export function tooMany(remote: Remote, maxNames: number): TransferFailure {
  return new TransferFailure(
    remote,
    'the file',
    `The folder has more than ${maxNames.toLocaleString('en-US')} names and is not looked through. Have old files cleared there, or name the one file.`,
  )
}

function noneMeant({
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
  const there = folder === '' ? 'the first folder' : folder
  if (files === 0) return `No file in ${there} is called ${pattern}: there are no files.`
  const many = files === 1 ? '1 file is there' : `${files.toLocaleString('en-US')} files are there`
  return `No file in ${there} is called ${pattern}: ${many}, such as ${others.join(', ')}.`
}
