import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { BOLD_END, CELL, CELL_BREAK, FOOTER_END, FOOTER_START, PART_BREAK, plainLines } from './line-marks.ts'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

/** In characters: the parser needs ten times as long for twice as much nested HTML. */
const MAX_HTML = 200_000
/** Deeper elements are read as plain text, so that no document is too deep for the stack. */
const MAX_DEPTH = 100

const BOLD_START = '\uE001'
/** Where a block begins or ends: a line break, unless there is one. */
const EDGE = '\uE003'

/** Line breaks where a browser has them. */
const BLOCKS = new Set(
  (
    'p div li ul ol table thead tbody tfoot caption center form fieldset h1 h2 h3 h4 h5 h6 blockquote pre ' +
    'section article header footer main hr'
  ).split(' '),
)
const HIDDEN = new Set(['script', 'style', 'head', 'title', 'template'])
const BOLD = new Set(['b', 'strong', 'label', 'th'])

/**
 * The lines of an HTML document as a reader sees them. Cells of one row are in one line, separated by `CELL`; bold words that begin
 * a line end with `BOLD_END`.
 */
export function linesOfHtml(html: string): string {
  const text = withBreaks(inside(parse(html.slice(0, MAX_HTML)), 0))
  return text
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll('\u00A0', ' ')
    .split('\n')
    .map(lineWithLabel)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '')
}

/** The text of an HTML document as a reader sees it; null if there is none. */
export function textOfHtml(html: string | null): string | null {
  return html === null || html.trim() === '' ? null : plainLines(linesOfHtml(html))
}

/** Blocks that follow each other are one line apart; a line break between two blocks is an empty line. */
const withBreaks = (text: string): string =>
  text.replaceAll(/[ \n]*\uE003[ \n\uE003]*/g, (edges) => {
    const breaks = edges.split('\n').length - 1
    const isBetween = edges.slice(edges.indexOf(EDGE), edges.lastIndexOf(EDGE)).includes('\n')
    return '\n'.repeat(Math.max(1, breaks + (isBetween ? 1 : 0)))
  })

function lineWithLabel(line: string): string {
  const [, label, rest] = /^ *\uE001([^\uE001\uE002]+)\uE002(.*)$/.exec(line) ?? []
  const [start, end] =
    label === undefined || rest === undefined ? ['', line] : [`${label.trim()}${BOLD_END}`, rest]
  return `${start}${end.replaceAll(/[\uE001\uE002]/g, '')}`
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ ?([\t\v]) ?/g, '$1')
    .replaceAll(/^[ \v]+/g, '')
    .trimEnd()
}

const isElement = (node: Node): node is Element => 'tagName' in node

function inside(node: { childNodes: readonly Node[] }, depth: number): string {
  return node.childNodes.map((child) => textOf(child, depth + 1)).join('')
}

function textOf(node: Node, depth: number): string {
  if ('value' in node) return node.value.replaceAll(/\s+/g, ' ').replaceAll(/[\uE001-\uE007]/g, '')
  if (!isElement(node) || HIDDEN.has(node.tagName) || isUnseen(node)) return ''
  if (depth > MAX_DEPTH) return flatText(node)
  const { tagName } = node
  if (tagName === 'br') return '\n'
  if (tagName === 'hr') return `${EDGE}${PART_BREAK}${EDGE}`
  if (tagName === 'footer')
    return [FOOTER_START, inside(node, depth), FOOTER_END].map((one) => `${EDGE}${one}${EDGE}`).join('')
  if (tagName === 'tr') return `${EDGE}${rowText(node, depth)}${EDGE}`
  if (tagName === 'dt') return `${EDGE}${oneLine(inside(node, depth))}${CELL}`
  if (tagName === 'dd') return `${cellText(withBreaks(inside(node, depth)))}${EDGE}`
  if (tagName === 'img') return ` ${attribute(node, 'alt')} `
  if (tagName === 'a') return linkText(node, inside(node, depth))
  if (BLOCKS.has(tagName)) return `${EDGE}${inside(node, depth)}${EDGE}`
  const text = inside(node, depth)
  const isBold = BOLD.has(tagName) || /font-weight:\s*(?:bold|[6-9]00)/i.test(attribute(node, 'style'))
  return isBold && text.trim() !== '' && !/[\n\t\uE003]/.test(text) ? `${BOLD_START}${text}${BOLD_END}` : text
}

const attribute = ({ attrs }: Element, name: string): string =>
  (attrs.find((one) => one.name === name)?.value ?? '').replaceAll(/\s+/g, ' ')

/** Text for previews of mail programs, which readers don't see. */
const isUnseen = (node: Element): boolean => /display:\s*none/i.test(attribute(node, 'style'))

/** A link keeps where it leads to, unless its text says the same. */
function linkText(node: Element, text: string): string {
  const href = attribute(node, 'href').trim()
  const address = decodeLoosely(href.replace(/^(?:mailto|tel|sms):/i, ''))
  const isAddress = /^(?:https?:\/\/|mailto:|tel:|sms:)/i.test(href)
  if (!isAddress || lettersOf(text).includes(lettersOf(address))) return text
  return text.trim() === '' ? address : `${text} (${address})`
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/^https?:\/\/|[^\p{L}\p{N}]/gu, '')

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The cells of a row in one line, unless they are columns of a layout: cells that have lines with labels of their own. */
function rowText(row: Element, depth: number): string {
  const cells = row.childNodes.flatMap((child) =>
    isElement(child) && (child.tagName === 'td' || child.tagName === 'th') ? [child] : [],
  )
  const texts = cells.map((cell) => withBreaks(inside(cell, depth + 1)).trim())
  const isLayout = cells.some((cell, at) => isLayoutCell(cell, texts[at] ?? ''))
  return isLayout || cells.length === 1 ? texts.join('\n') : texts.map(cellText).join(CELL)
}

/** Bold words at the start of a line count as a label with what follows it. */
const LABELED_LINE = /^[^\S\n]*(?:[^:\n]{1,40}:|\uE001[^\uE002\n]{1,40}\uE002|[^\n]*\t)[^\S\n]*\S/gm

function isLayoutCell(cell: Element, text: string): boolean {
  const hasTable = cell.childNodes.some((child) => isElement(child) && hasRows(child, 0))
  return hasTable || (text.match(LABELED_LINE)?.length ?? 0) > 1
}

function hasRows(node: Element, depth: number): boolean {
  if (node.tagName === 'tr' || node.tagName === 'dt') return true
  return depth < MAX_DEPTH && node.childNodes.some((child) => isElement(child) && hasRows(child, depth + 1))
}

const oneLine = (text: string): string => text.replaceAll(/[\s\uE001-\uE006]+/g, ' ').trim()

/** The text of one cell: bold words are no label there. */
const cellText = (text: string): string =>
  text
    .replaceAll(/[\uE001\uE002\uE004-\uE006]/g, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, CELL_BREAK)
    .replaceAll(/[^\S\v]+/g, ' ')

function flatText(node: Element): string {
  const parts: string[] = []
  const open: Node[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('value' in next) parts.push(next.value.replaceAll(/\s+/g, ' '))
    else if (isElement(next) && !HIDDEN.has(next.tagName)) {
      if (BLOCKS.has(next.tagName) || next.tagName === 'br') parts.push(EDGE)
      open.push(...next.childNodes.toReversed())
    }
  }
  return parts.join('')
}
