/** A word, number, text or operator of a rule. `open`: text without a closing quote. */
export type Token = {
  kind: 'word' | 'number' | 'text' | 'open' | 'sign'
  text: string
  from: number
  to: number
}

const PATTERNS = [
  ['text', /[rRbB]?("""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?''')/y],
  ['open', /[rRbB]?("""|''')[^]*/y],
  ['text', /[rRbB]?("(?:[^"\\\n\r]|\\[^\n\r])*"|'(?:[^'\\\n\r]|\\[^\n\r])*')/y],
  ['open', /[rRbB]?["'][^\n\r]*/y],
  ['number', /\d[\w.]*/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /&&|\|\||[=!<>]=|[^]/y],
] as const satisfies readonly (readonly [Token['kind'], RegExp])[]

/** The tokens of a possibly incomplete rule, for the editor. Without comments. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const between = /(?:\s|\/\/[^\n]*)*/y
    between.lastIndex = at
    at += between.exec(text)?.[0].length ?? 0
    for (const [kind, pattern] of PATTERNS) {
      pattern.lastIndex = at
      const found = at < text.length ? pattern.exec(text)?.[0] : undefined
      if (found === undefined) continue
      tokens.push({ kind, text: found, from: at, to: at + found.length })
      at += found.length
      break
    }
  }
  return tokens
}
