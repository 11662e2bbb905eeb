import type { FileLeaf, FolderContent } from '#contract/files/files.ts'
import { findNamed, isPicture } from '#web/ui/files/media/file-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'

/** What is wanted of a person. */
export type FileRequest = {
  kind: 'any' | 'picture'
  isMany: boolean
  /** Files of other types cannot be chosen. */
  types?: readonly string[] | undefined
  /** In bytes: larger files cannot be chosen. */
  most?: number | undefined
}

export type Offer = {
  /** What the search left of it. */
  shown: FolderContent
  /** How much there is to choose from or to open, found or not. */
  total: number
  /** Files of another kind. */
  hidden: number
}

/** What a folder has to choose from. */
export function listingOf({ nodes, leafs }: FolderContent, { kind }: FileRequest, search: string): Offer {
  const fitting = kind === 'picture' ? leafs.filter(isPicture) : leafs
  return {
    shown: { nodes: findNamed(nodes, search), leafs: findNamed(fitting, search) },
    total: nodes.length + fitting.length,
    hidden: leafs.length - fitting.length,
  }
}

/** Why a file cannot be chosen, in few words; null where it can. */
export function whyNot(leaf: FileLeaf, { kind, types, most }: FileRequest): string | null {
  if (kind === 'picture' && !isPicture(leaf)) return 'Not a picture'
  if (types && !types.includes(leaf.type)) {
    return `Only ${types.map((type) => type.replace(/^.*\//, '').toUpperCase()).join(', ')}`
  }
  return most !== undefined && leaf.size > most ? `Too large: at most ${formatBytes(most)}` : null
}

/** The choice after a file was pressed: of many it comes or goes, of one it takes the place of the other. */
export function press(chosen: readonly FileLeaf[], leaf: FileLeaf, wanted: FileRequest): readonly FileLeaf[] {
  if (whyNot(leaf, wanted) !== null) return chosen
  if (!wanted.isMany) return [leaf]
  const others = chosen.filter(({ path }) => path !== leaf.path)
  return others.length < chosen.length ? others : [...chosen, leaf]
}

/** The choice after a file was uploaded: it is chosen as it is now. */
export function receive(
  chosen: readonly FileLeaf[],
  leaf: FileLeaf,
  wanted: FileRequest,
): readonly FileLeaf[] {
  return press(
    chosen.filter(({ path }) => path !== leaf.path),
    leaf,
    wanted,
  )
}

/** "picture", "2 files": what is to be chosen, or was. */
export function nounOf({ kind, isMany }: FileRequest, number: number): string {
  const one = kind === 'picture' ? 'picture' : 'file'
  if (!isMany) return one
  return number === 1 ? `1 ${one}` : `${number === 0 ? '' : `${number.toLocaleString()} `}${one}s`
}
