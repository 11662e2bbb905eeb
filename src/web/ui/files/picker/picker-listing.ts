import type { FileLeaf, FolderContent } from '#contract/files/files.ts'
import { findNamed, isPicture } from '#web/ui/files/media/file-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'

/** Which files can be chosen. */
export type FileRequest = {
  kind: 'any' | 'picture'
  isMany: boolean
  /** Files of other types cannot be chosen. */
  types?: readonly string[] | undefined
  /** In bytes: larger files cannot be chosen. */
  most?: number | undefined
}

export type Offer = {
  /** The files that match the search. */
  shown: FolderContent
  /** The number of files and folders before the search. */
  total: number
  /** Number of files of other types. */
  hidden: number
}

/** What a folder offers to choose from. */
export function listingOf({ nodes, leafs }: FolderContent, { kind }: FileRequest, search: string): Offer {
  const fitting = kind === 'picture' ? leafs.filter(isPicture) : leafs
  return {
    shown: { nodes: findNamed(nodes, search), leafs: findNamed(fitting, search) },
    total: nodes.length + fitting.length,
    hidden: leafs.length - fitting.length,
  }
}

/** Why a file can't be chosen, in a few words; null if it can. */
export function whyNot(leaf: FileLeaf, { kind, types, most }: FileRequest): string | null {
  if (kind === 'picture' && !isPicture(leaf)) return 'Not a picture'
  if (types && !types.includes(leaf.type)) {
    return `Only ${types.map((type) => type.replace(/^.*\//, '').toUpperCase()).join(', ')}`
  }
  return most !== undefined && leaf.size > most ? `Too large: at most ${formatBytes(most)}` : null
}

/** The choice after a click: toggled for multiple files, replaced for a single one. */
export function toggleChoice(
  chosen: readonly FileLeaf[],
  leaf: FileLeaf,
  wanted: FileRequest,
): readonly FileLeaf[] {
  if (whyNot(leaf, wanted) !== null) return chosen
  if (!wanted.isMany) return [leaf]
  const others = chosen.filter(({ path }) => path !== leaf.path)
  return others.length < chosen.length ? others : [...chosen, leaf]
}

/** The choice after an upload: the file is chosen in its new version. */
export function chooseUploaded(
  chosen: readonly FileLeaf[],
  leaf: FileLeaf,
  wanted: FileRequest,
): readonly FileLeaf[] {
  return toggleChoice(
    chosen.filter(({ path }) => path !== leaf.path),
    leaf,
    wanted,
  )
}

/** "picture", "2 files": what can be or was chosen. */
export function nounOf({ kind, isMany }: FileRequest, number: number): string {
  const one = kind === 'picture' ? 'picture' : 'file'
  if (!isMany) return one
  return number === 1 ? `1 ${one}` : `${number === 0 ? '' : `${number.toLocaleString()} `}${one}s`
}
