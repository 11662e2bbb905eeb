import type { FileLeaf } from '#contract/files/files.ts'
import { mediaAddress } from '#contract/mail/templates/template-pictures.ts'

/** The element of a layout that shows a picture of the media; its name stands where the picture cannot be seen. */
export function pictureElement({ path, name }: Pick<FileLeaf, 'path' | 'name'>): string {
  // Braces would begin a variable, the others end the attribute.
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/[\s{}"<>&]+/g, ' ')
    .trim()
  return `<mj-image src="${mediaAddress(path)}" alt="${words}" />`
}

/**
 * Puts an element into a layout: at a place directly inside a column, else at the start of the first one. Null: there is
 * no column to put it in.
 * @param place where the person was, in characters.
 */
export function insertElement(layout: string, place: number, element: string): string | null {
  const first = /<mj-column\b[^>]*>/.exec(layout)
  if (first === null) return null
  const isInTag = layout.lastIndexOf('<', place - 1) > layout.lastIndexOf('>', place - 1)
  const inside = !isInTag && parentAt(layout.slice(0, place)) === 'mj-column'
  const at = inside ? place : first.index + first[0].length
  const before = layout.slice(0, at)
  // In the line of its neighbours.
  const indent = /\n([ \t]*)[^\n]*$/.exec(before)?.[1] ?? ''
  const isBlank = /(^|\n)[ \t]*$/.test(before)
  const line = isBlank ? `${element}\n${indent}` : `\n${indent}${inside ? '' : '  '}${element}`
  return before + line + layout.slice(at)
}

/** The innermost element that is open at the end of a piece of a layout. */
function parentAt(piece: string): string | undefined {
  const open: string[] = []
  for (const [tag, slash, name = ''] of piece.matchAll(/<(\/?)([a-z][\w-]*)\b[^>]*>/gi)) {
    if (slash === '/') open.pop()
    else if (!tag.endsWith('/>') && !/^(br|img|hr|input|meta|link)$/i.test(name)) open.push(name)
  }
  return open.at(-1)
}
