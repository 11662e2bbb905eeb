import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'

/** A link or code that gives access to an account, and its placeholder while a template is rendered. */
export type TemplateVariable = { name: 'link' | 'code'; text: string }

/**
 * Elements that are never sent: they run code, redirect URLs or send data, or hide their content from parsers that treat
 * them differently (noscript, xmp, svg ...), so it can't be checked.
 */
const FORBIDDEN_ELEMENTS = new Set(
  `script base form iframe frame frameset object embed applet
  noscript noembed noframes xmp plaintext listing template textarea svg math`.split(/\s+/),
)
/** The `meta` elements that MJML writes; all others are rejected. */
const OWN_METAS = new Set([
  'content="IE=edge" http-equiv="X-UA-Compatible"',
  'content="text/html; charset=UTF-8" http-equiv="Content-Type"',
  'content="width=device-width, initial-scale=1" name="viewport"',
])
/** Elements that don't separate words when displayed; all others do. */
const INLINE = new Set(
  'a abbr b big cite code em font i label mark q s small span strong sub sup u'.split(' '),
)
/** Their text isn't displayed. */
const UNDISPLAYED = new Set(['style', 'script', 'title'])

type TemplateFindings = {
  elements: Set<string>
  words: string
  misplaced: Set<string>
  placed: Map<string, number>
  /** A style could read the links and the text of the email, and report them to a server. */
  isRead: boolean
}

/** Styles of other servers, and selectors that compare addresses, also if their names are written with escapes. */
const READING_STYLE = /@import|@font-face|@[^{};]*\\|\[[^\]]*\\|\[\s*(?:[^\s\]|=]*\|)?\s*href/i
const COMMENT = /\/\*(?:[^*]|\*(?!\/))*\*\//g

/**
 * Checks the HTML of an email as browsers parse it. A link can only be text or the whole `href` of an `a`, and a code only
 * text; neither can be part of another URL, and no style from another server can look at them. Anything else could leak them to the
 * author of the template.
 * @param placeholders in `html` in place of the real values; templates can't contain them themselves.
 * @returns an error message for each problem; empty if the email is safe to send.
 */
export function findUnsafe(html: string, placeholders: readonly TemplateVariable[]): string[] {
  const seen: TemplateFindings = {
    elements: new Set(),
    words: '',
    misplaced: new Set(),
    placed: new Map(),
    isRead: false,
  }
  visit(parse(html, { scriptingEnabled: false }), placeholders, seen)
  const problems = [...seen.elements].map((name) => `An email can't contain <${name}>. Remove it.`)
  for (const placeholderValue of placeholders) {
    const { name, text } = placeholderValue
    const placed = seen.placed.get(name) ?? 0
    if (placed === 0) problems.push(`The ${name} is missing. Add {{ ${name} }}.`)
    // Another parser may keep what this one dropped, such as a duplicate attribute.
    if (seen.misplaced.has(name) || html.split(text).length - 1 !== placed) {
      const allowed = name === 'link' ? 'in text, or as a complete href' : 'in text'
      problems.push(`The ${name} can only be used ${allowed}.`)
    }
    if (isPartOfAddress(seen.words, placeholderValue, placeholders)) problems.push(partOfAddress(name))
    if (seen.isRead)
      problems.push(
        `The ${name} can be read by styles of other servers. Remove mj-font, link, @import, @font-face and [href].`,
      )
  }
  return problems
}

/** The same for plain text, in which email clients turn anything that looks like a URL into a link. */
export function findUnsafeText(text: string, placeholders: readonly TemplateVariable[]): string[] {
  return placeholders.flatMap((placeholderValue) => {
    const { name } = placeholderValue
    if (!text.includes(placeholderValue.text)) return [`The ${name} is missing. Add {{ ${name} }}.`]
    return isPartOfAddress(text, placeholderValue, placeholders) ? [partOfAddress(name)] : []
  })
}

const partOfAddress = (name: string): string =>
  `The ${name} can't be part of another address. Put a space before and after it.`

/** Iterative: deep nesting would overflow the stack. */
function visit(root: Tree.Node, placeholders: readonly TemplateVariable[], seen: TemplateFindings): void {
  const waiting: { node: Tree.Node; inComment: boolean; isEnd?: boolean }[] = [
    { node: root, inComment: false },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, inComment, isEnd = false } = next
    if (isEnd) {
      seen.words += ' '
      continue
    }
    if ('data' in node) {
      note(node.data, placeholders, seen)
      // Outlook renders the HTML in conditional comments.
      const inside = node.data.replace(/^\[if [^\]]*\]>/i, '').replace(/<!\[endif\]$/i, '')
      if (inside.includes('<'))
        waiting.push({ node: parseFragment(inside, { scriptingEnabled: false }), inComment: true })
    } else if ('value' in node) visitText(node, placeholders, seen)
    else if ('tagName' in node) {
      visitElement(node, placeholders, seen, inComment)
      if (!INLINE.has(node.tagName)) {
        seen.words += ' '
        waiting.push({ node, inComment, isEnd: true })
      }
    } else if (node.nodeName === '#documentType')
      note(JSON.stringify([node.name, node.publicId, node.systemId]), placeholders, seen)
    if ('content' in node) waiting.push({ node: node.content, inComment })
    if ('childNodes' in node) {
      for (const child of node.childNodes.toReversed()) waiting.push({ node: child, inComment })
    }
  }
}

function visitElement(
  element: Tree.Element,
  placeholders: readonly TemplateVariable[],
  seen: TemplateFindings,
  inComment: boolean,
): void {
  const { tagName, attrs } = element
  // MJML puts Outlook's settings into a <noscript> inside a conditional comment.
  const isOutlookSettings = inComment && tagName === 'noscript'
  const isForeignMeta = tagName === 'meta' && !OWN_METAS.has(metaOf(attrs))
  if (isForeignMeta || (FORBIDDEN_ELEMENTS.has(tagName) && !isOutlookSettings)) seen.elements.add(tagName)
  if (tagName === 'link') seen.isRead = true
  note(tagName, placeholders, seen)
  for (const { name, value, prefix } of attrs) {
    note(name, placeholders, seen)
    const link = placeholders.find((one) => one.name === 'link' && one.text === value)
    const isHref = tagName === 'a' && name === 'href' && prefix === undefined && !inComment
    // Browsers report the whole URL to the `ping` targets.
    const hasPing = attrs.some((one) => one.name === 'ping')
    if (link !== undefined && isHref && !hasPing) place(link, 1, seen)
    else note(value, placeholders, seen)
  }
}

function visitText(
  node: Tree.TextNode,
  placeholders: readonly TemplateVariable[],
  seen: TemplateFindings,
): void {
  const parent = node.parentNode
  if (parent !== null && 'tagName' in parent && UNDISPLAYED.has(parent.tagName)) {
    note(node.value, placeholders, seen)
    if (parent.tagName === 'style' && READING_STYLE.test(node.value.replaceAll(COMMENT, '')))
      seen.isRead = true
    return
  }
  seen.words += node.value
  for (const placeholderValue of placeholders)
    place(placeholderValue, node.value.split(placeholderValue.text).length - 1, seen)
}

function place({ name }: TemplateVariable, times: number, seen: TemplateFindings): void {
  seen.placed.set(name, (seen.placed.get(name) ?? 0) + times)
}

/** Records placeholders in places where they aren't allowed. */
function note(text: string, placeholders: readonly TemplateVariable[], seen: TemplateFindings): void {
  for (const placeholderValue of placeholders)
    if (text.includes(placeholderValue.text)) seen.misplaced.add(placeholderValue.name)
}

const metaOf = (attrs: Tree.Element['attrs']): string =>
  attrs
    .map(({ name, value }) => `${name}="${value}"`)
    .toSorted()
    .join(' ')

/** Whether email clients would read a placeholder and adjacent text as one URL: `https://elsewhere.example/` before it, `.elsewhere.example` after a code. */
function isPartOfAddress(
  words: string,
  { name, text }: TemplateVariable,
  placeholders: readonly TemplateVariable[],
): boolean {
  const bare = (part: string): string =>
    placeholders.reduce((rest, one) => rest.replaceAll(one.text, ' '), part)
  const pieces = words.split(text)
  return pieces.some((piece, at) => {
    const [before = ''] = at === pieces.length - 1 ? [''] : (/\S*$/.exec(bare(piece)) ?? [])
    const [after = ''] = at === 0 ? [''] : (/^\S*/.exec(bare(piece)) ?? [])
    return /[/?=&#%@\\]|\w\.\w|^www\./i.test(before) || (name === 'code' && /^[^\s]*?[.@/]\w/.test(after))
  })
}
