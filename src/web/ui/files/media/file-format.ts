import type { FileLeaf } from '#contract/files/files.ts'

const KINDS: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'Archive or Office file',
  'application/gzip': 'Archive',
  'application/xml': 'XML',
  'application/octet-stream': 'File',
  'application/vnd.microsoft.portable-executable': 'Program',
  'image/svg+xml': 'SVG picture',
  'image/x-icon': 'ICO picture',
  'text/html': 'Web page',
  'text/plain': 'Text',
}
const FAMILIES: Readonly<Record<string, string>> = { image: 'picture', video: 'video', audio: 'sound' }

/** "PNG picture", "PDF", "Text": the file type for users. */
export function kindOf({ type }: Pick<FileLeaf, 'type'>): string {
  const known = KINDS[type]
  if (known !== undefined) return known
  const [family = '', form = ''] = type.split('/')
  const word = FAMILIES[family]
  return word === undefined ? 'File' : `${form.toUpperCase()} ${word}`
}

/** Types that browsers show as a picture. */
const SHOWN = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'svg+xml', 'x-icon'].map((kind) => `image/${kind}`),
)

/** For the file input. Not every system knows the type of an icon. */
export const ACCEPTED_PICTURES = [...SHOWN, '.ico'].join(',')

export function isPicture({ type }: Pick<FileLeaf, 'type'>): boolean {
  return SHOWN.has(type)
}

/** The folders leading to a path, from the top; the last one is the path itself. Empty for the top. */
export function pathSteps(path: string): { path: string; name: string }[] {
  const names = path === '' ? [] : path.split('/')
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }))
}

/** Items whose name contains every word of the search, ignoring case. */
export function findNamed<Item extends { name: string }>(items: readonly Item[], search: string): Item[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(({ name }) => words.every((word) => name.toLocaleLowerCase().includes(word)))
}
