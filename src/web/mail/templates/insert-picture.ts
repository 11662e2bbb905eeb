import type { FileLeaf } from '#contract/files/files.ts'
import { mediaAddress } from '#contract/mail/templates/template-pictures.ts'

/** The MJML element for a media picture, with its file name as alt text. */
export function pictureElement({ path, name }: Pick<FileLeaf, 'path' | 'name'>): string {
  // Braces would start a variable; the others would end the attribute.
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/[\s{}"<>&]+/g, ' ')
    .trim()
  return `<mj-image src="${mediaAddress(path)}" alt="${words}" />`
}

/**
 * Inserts an element at the cursor if that is directly inside a column, otherwise at the start of the first column.
 * @param place the cursor position, in characters.
 * @returns null if the layout has no column.
 */
export function insertElement(layout: string, place: number, element: string): string | null {
  const first = /<mj-column\b[^>]*>/.exec(layout)
  if (first === null) return null
  const isInTag = layout.lastIndexOf('<', place - 1) > layout.lastIndexOf('>', place - 1)
  const inside = !isInTag && parentAt(layout.slice(0, place)) === 'mj-column'
  const at = inside ? place : first.index + first[0].length
  const before = layout.slice(0, at)
  // Matches the indentation of its neighbors.
  const indent = /\n([ \t]*)[^\n]*$/.exec(before)?.[1] ?? ''
  const isBlank = /(^|\n)[ \t]*$/.test(before)
  const line = isBlank ? `${element}\n${indent}` : `\n${indent}${inside ? '' : '  '}${element}`
  return before + line + layout.slice(at)
}

/** The innermost element still open at the end of `piece`. */
function parentAt(piece: string): string | undefined {
  const open: string[] = []
  for (const [tag, slash, name = ''] of piece.matchAll(/<(\/?)([a-z][\w-]*)\b[^>]*>/gi)) {
    if (slash === '/') open.pop()
    else if (!tag.endsWith('/>') && !/^(br|img|hr|input|meta|link)$/i.test(name)) open.push(name)
  }
  return open.at(-1)
}
