import { Decoration, type DecorationSet, type EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'

/** Texts first, so that their contents aren't colored as something else. */
const PARTS =
  /(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>\b(?:true|false|null|in)\b)|(?<call>\b[a-zA-Z_]\w*(?=\s*\())|(?<sign>&&|\|\||[!=<>]=?|[-+*/?:])/g

const MARKS = new Map(
  ['text', 'number', 'word', 'call', 'sign'].map((kind) => [
    kind,
    Decoration.mark({ class: `fc-code-${kind}` }),
  ]),
)
const PLAIN = Decoration.mark({})

const decorator = new MatchDecorator({
  regexp: PARTS,
  decoration: ({ groups = {} }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    return MARKS.get(kind ?? '') ?? PLAIN
  },
})

/** Syntax colors for texts, numbers, keywords, functions and operators. Names keep the text color. */
export const ruleColors = ViewPlugin.define(
  (
    view: EditorView,
  ): {
    decorations: DecorationSet
    update: (update: Parameters<typeof decorator.updateDeco>[0]) => void
  } => ({
    decorations: decorator.createDeco(view),
    update(update) {
      this.decorations = decorator.updateDeco(update, this.decorations)
    },
  }),
  { decorations: (plugin) => plugin.decorations },
)
