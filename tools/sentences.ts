// Finds what people can read on screens, in emails, in errors and in API descriptions. `npm run sentences` prints it;
// test/sentences.test.ts rejects the words of tools/old-words.ts in it.
import { parseSync } from 'oxc-parser'

/** A text of the product. `text` has `{…}` where the code inserts a value. `line` counts from 1. */
export type Sentence = { path: string; line: number; text: string }

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Context = { parents: readonly Node[]; text: string; found: (node: Node, text: string) => void }

/** Attributes of elements that are read or heard. */
const READ_ATTRIBUTES =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|alt|title|label|placeholder|description|hint|text|what|heading|name|children|help|question|action|note|empty|done|message|unit|lead|summary|error|okLabel|cancelLabel)$/
/** Properties whose values are read even when they are one word, like `label: 'Name'`. */
const READ_PROPERTIES =
  /^(title|label|labels|heading|placeholder|hint|help|description|summary|message|text|name|names|question|note|empty|button|action|done|lead|about|sentence|subject|caption|what|body)$/
/** What takes texts that nobody reads: styles, paths, queries. */
const TECHNICAL_CALLS =
  /^(sql|raw|ref|table|css|cx|clsx|querySelector|querySelectorAll|closest|matches|RegExp|URL|fetch|import|require|addEventListener|matchMedia|getPropertyValue|setProperty|startsWith|endsWith|includes|split|join|replaceAll|query|prepare|exec|header|get|set|has)$/
const TECHNICAL_ATTRIBUTES =
  /^(className|classNames|style|to|href|id|htmlFor|type|role|key|src|d|viewBox|rel|target|transform|points|fill|stroke|autoComplete|inputMode|pattern|data-.*|aria-(live|controls|labelledby|describedby|haspopup|current|sort))$/

/** The texts of one source file, in order. Tests, fixtures and generated files have none. */
export function findSentences(path: string, source: string): Sentence[] {
  if (!/\.tsx?$/.test(path) || /\.(test|fixture)\.tsx?$/.test(path) || path.endsWith('/schema.ts')) return []
  const { program } = parseSync(path, source)
  const sentences: Sentence[] = []
  const lines = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const found = (node: Node, text: string): void => {
    const clean = text.replace(/\s+/g, ' ').trim()
    if (clean === '') return
    sentences.push({ path, line: lines.findLastIndex((start) => start <= node.start) + 1, text: clean })
  }
  visit(program, { parents: [], text: source, found })
  return sentences
}

function visit(value: unknown, context: Context): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, context)
    return
  }
  if (!isNode(value)) return
  if (isSkipped(value, context.parents)) return
  if (value.type === 'JSXText') take(value, String(value['value']), { ...context, isShown: true })
  if (value.type === 'Literal' && typeof value['value'] === 'string') {
    take(value, value['value'], { ...context, isShown: isShown(context.parents) })
  }
  if (value.type === 'TemplateLiteral') {
    take(value, templateText(value), { ...context, isShown: isShown(context.parents) })
  }
  const parents = [...context.parents, value]
  for (const [key, child] of Object.entries(value)) {
    if (key === 'key' && value.type === 'Property') continue
    if (typeof child === 'object' && child !== null) visit(child, { ...context, parents })
  }
}

function take(node: Node, text: string, { isShown: shown, found }: Context & { isShown: boolean }): void {
  const words = text.trim()
  if (!/[A-Za-z]{2}/.test(words)) return
  if (shown || looksLikeWords(words)) found(node, text)
}

/** Two words or more, with no sign of code: a query, a style, a path, a header. */
function looksLikeWords(text: string): boolean {
  if (!/[A-Za-z]{2,}[.,:;?!]?\s+\S*[A-Za-z]/.test(text.replaceAll('{…}', 'value'))) return false
  if (
    /^\s*(select|insert|update|delete|with|create|alter|drop|set|begin|commit|rollback|lock|grant|revoke|copy|listen|notify|analyze|explain)\b/.test(
      text,
    )
  )
    return false
  if (
    /\bfc-|--[a-z]|=>|\b(px|rem|solid|minmax|var)\b\(?|^[a-z-]+(\s[a-z-]+)*-[a-z-]+$|^\s*[#./@]|;\s*$|^[a-z-]+:\s?[a-z0-9{]/.test(
      text,
    )
  )
    return false
  return true
}

function isSkipped(node: Node, parents: readonly Node[]): boolean {
  if (/^(Import|ExportAll)/.test(node.type) || node.type.startsWith('TS')) return !isTypeWrapper(node)
  if (node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'BinaryExpression') return false
  if (node.type === 'JSXAttribute') return TECHNICAL_ATTRIBUTES.test(nameOf(node['name']))
  if (node.type === 'CallExpression') return TECHNICAL_CALLS.test(calleeOf(node))
  const parent = parents.at(-1)
  if (node.type !== 'Literal' || parent === undefined) return false
  return (
    parent.type === 'SwitchCase' ||
    (parent.type === 'MemberExpression' && parent['property'] === node) ||
    (parent.type === 'BinaryExpression' && /^(===|!==|in)$/.test(String(parent['operator'])))
  )
}

/** `x satisfies T` and `x as const` hold the value itself. */
function isTypeWrapper(node: Node): boolean {
  return /^TS(AsExpression|SatisfiesExpression|NonNullExpression|InstantiationExpression)$/.test(node.type)
}

/** Whether a single word here is read by people: in an element, or under a name like `label`. */
function isShown(parents: readonly Node[]): boolean {
  for (const parent of parents.toReversed()) {
    if (parent.type === 'JSXAttribute') return READ_ATTRIBUTES.test(nameOf(parent['name']))
    if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return true
    if (parent.type === 'Property') return READ_PROPERTIES.test(nameOf(parent['key']))
    if (
      /^(CallExpression|NewExpression|.*Function.*|VariableDeclaration|Program|ArrayExpression)$/.test(
        parent.type,
      )
    ) {
      return false
    }
  }
  return false
}

function templateText(node: Node): string {
  const quasis = Array.isArray(node['quasis']) ? node['quasis'].filter(isNode) : []
  return quasis.map((one) => cookedOf(one['value'])).join('{…}')
}

function cookedOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : ''
}

function calleeOf(call: Node): string {
  const callee = call['callee']
  if (!isNode(callee)) return ''
  return callee.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee)
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  const name = value['name'] ?? value['value']
  return typeof name === 'string' ? name : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
