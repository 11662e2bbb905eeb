import { leafOf, writeLeaf, type RuleLeaf } from './leaf.ts'
import { readRule } from './read.ts'
import { tokensOf, type Token } from './tokens.ts'
import { sameTree, type Condition, type Rule } from './tree.ts'
import type { Variables } from './variables.ts'

/** Rows and groups of rows: all of them must be true, or any; `not` negates the whole group. */
export type RuleGroup = { all: boolean; not: boolean; rules: (RuleLeaf | RuleGroup)[] }

/**
 * A rule as rows; null if rows can't express it and it must stay text. The result is written, parsed and compared,
 * so it never changes the meaning.
 */
export function toRules(rule: Rule): RuleGroup | null {
  const group = groupOf(rule.tree)
  if (group === null) return null
  const again = readRule(fromRules(group, rule.variables), rule.variables)
  return again.ok && sameTree(again.rule.tree, rule.tree) ? group : null
}

function groupOf(tree: Condition): RuleGroup | null {
  const leaf = leafOf(tree)
  if (leaf !== null) return { all: true, not: false, rules: [leaf] }
  if (tree.op === 'not') {
    const inner = groupOf(tree.part)
    return inner === null ? null : { ...inner, not: true }
  }
  if (tree.op !== 'and' && tree.op !== 'or') return null
  const rules = tree.parts.map((part) => leafOf(part) ?? groupOf(part))
  const whole = rules.filter((rule) => rule !== null)
  return whole.length === rules.length ? { all: tree.op === 'and', not: false, rules: whole } : null
}

/** Writes rows as a rule. Empty groups are left out; no rows at all give ''. The fields must be declared. */
export function fromRules(group: RuleGroup, variables: Variables): string {
  const inside = write(group, variables)
  return inside === null ? '' : inside.text
}

type RuleText = { text: string; binds: 'and' | 'or' | 'one' }

function write(group: RuleGroup, variables: Variables): RuleText | null {
  const parts = group.rules
    .map((rule) => ('rules' in rule ? write(rule, variables) : writeRow(rule, variables)))
    .filter((part) => part !== null)
  const [first] = parts
  if (first === undefined) return null
  const joined: RuleText = parts.length === 1 ? first : join(parts, group.all ? 'and' : 'or')
  return group.not ? { text: `!(${joined.text})`, binds: 'one' } : joined
}

function writeRow(leaf: RuleLeaf, variables: Variables): RuleText {
  const variable = Object.hasOwn(variables, leaf.field) ? variables[leaf.field] : undefined
  return { text: writeLeaf(leaf, variable?.kind), binds: 'one' }
}

function join(parts: readonly RuleText[], binds: 'and' | 'or'): RuleText {
  const texts = parts.map((part) =>
    part.binds === 'one' || part.binds === binds ? part.text : `(${part.text})`,
  )
  return { text: texts.join(binds === 'and' ? ' && ' : ' || '), binds }
}

/**
 * The parts of a rule joined by "and", one chip each: the text as written, safe to join with others by `&&`, and
 * its leaf, if it is one. Joining all of them gives the same meaning.
 */
export function conjuncts(rule: Rule): { text: string; leaf: RuleLeaf | null }[] {
  const { tree, variables } = rule
  const parts = tree.op === 'and' ? tree.parts : [tree]
  const texts = splitConjuncts(rule.text)
  if (texts.length === parts.length) {
    const isSame = texts.every((text, at) => {
      const again = readRule(text, variables)
      const part = parts[at]
      return again.ok && part !== undefined && sameTree(again.rule.tree, part)
    })
    if (isSame) return texts.map((text, at) => ({ text, leaf: leafAt(parts, at) }))
  }
  return [{ text: `(${stripParentheses(rule.text, tokensOf(rule.text))})`, leaf: null }]
}

function leafAt(parts: readonly Condition[], at: number): RuleLeaf | null {
  const part = parts[at]
  return part === undefined ? null : leafOf(part)
}

/** The text between the outermost `&&`, without surrounding parentheses and comments. */
function splitConjuncts(text: string): string[] {
  const tokens = tokensOf(text)
  const cuts: number[] = []
  let depth = 0
  let isWrapped = tokens[0]?.text === '('
  for (const [at, { kind, text: sign }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if ('([{'.includes(sign)) depth += 1
    if (')]}'.includes(sign)) depth -= 1
    if (depth > 0) continue
    if (sign === '||' || sign === '?') return [`(${stripParentheses(text, tokens)})`]
    if (sign === '&&') cuts.push(at)
    if (at < tokens.length - 1) isWrapped = false
  }
  if (isWrapped) return splitConjuncts(stripParentheses(text, tokens.slice(1, -1)))
  if (cuts.length === 0) return [stripParentheses(text, tokens)]
  const edges = [...cuts, tokens.length]
  return edges.flatMap((edge, at) =>
    splitConjuncts(stripParentheses(text, tokens.slice((edges[at - 1] ?? -1) + 1, edge))),
  )
}

function stripParentheses(text: string, tokens: readonly Token[]): string {
  return text.slice(tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0)
}
