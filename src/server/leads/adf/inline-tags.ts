import type { AdfElement } from '#contract/leads/adf/adf-lead.ts'

/** A part of an element in its order: a text or an element. */
export type Piece = string | AdfElement

/** Tags of HTML with a line of their own. */
const LINES = [
  'br',
  'hr',
  'blockquote',
  'div',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'ol',
  'p',
  'pre',
  'ul',
  'table',
  'tbody',
  'thead',
  'tr',
  'dl',
  'dt',
  'dd',
]
/** Tags of HTML with which chats and forms mark words of a text. None of them is an element of ADF. */
const INLINE = new Set([
  ...LINES,
  'a',
  'abbr',
  'b',
  'big',
  'center',
  'code',
  'del',
  'em',
  'font',
  'i',
  'img',
  'ins',
  'mark',
  's',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'tt',
  'u',
  'wbr',
  'td',
  'th',
])
/** Elements that hold what someone wrote: within a sentence, the words of any element belong to it. */
const TEXTS = new Set(['comments', 'comment', 'pricecomments', 'message', 'remarks', 'notes', 'question'])
/** Attributes that say how a text looks. The value of any other one, such as the target of a link, stays in the text. */
const LOOKS = new Set([
  'align',
  'bgcolor',
  'border',
  'cellpadding',
  'cellspacing',
  'class',
  'color',
  'dir',
  'face',
  'height',
  'lang',
  'rel',
  'size',
  'style',
  'target',
  'type',
  'valign',
  'width',
  'start',
  'colspan',
  'rowspan',
])

/** The text of an element with the words of tags of HTML within it, and its other children. */
export function withInlineTags(
  name: string,
  pieces: readonly Piece[],
): Pick<AdfElement, 'text' | 'children'> {
  const isSentence =
    TEXTS.has(name) && pieces.some((piece) => typeof piece === 'string' && piece.trim() !== '')
  const isWord = (piece: Piece): boolean =>
    typeof piece === 'string' || isSentence || (INLINE.has(piece.name) && piece.children.length === 0)
  const children = pieces.flatMap((piece) => (typeof piece === 'string' || isWord(piece) ? [] : [piece]))
  const text = pieces.map((piece) => (isWord(piece) ? wordsOf(piece) : '')).join('')
  const hasTags = pieces.some((piece) => typeof piece !== 'string' && isWord(piece))
  return { text: hasTags ? tidy(text) : text, children }
}

function wordsOf(piece: Piece): string {
  if (typeof piece === 'string') return piece
  const { name, attributes, text, children } = piece
  const said = Object.entries(attributes)
    .filter(([key, value]) => !LOOKS.has(key) && value.trim() !== '' && value.trim() !== text.trim())
    .map(([, value]) => ` (${value.trim()})`)
  const words = `${text}${children.map(wordsOf).join(' ')}${said.join('')}`
  return LINES.includes(name) ? `\n${words}\n` : words
}

/** As a browser shows it: a break is one line, and a paragraph at most one empty line. */
const tidy = (text: string): string =>
  text
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{2,}/g, (breaks) => (breaks.length > 2 ? '\n\n' : '\n'))
