import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import {
  EditorView,
  keymap,
  Decoration,
  type DecorationSet,
  MatchDecorator,
  ViewPlugin,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { completionsAt } from '#contract/expressions/complete.ts'
import type { Problem } from '#contract/expressions/read.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import './rule-editor.css'

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
const ruleColors = ViewPlugin.define(
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

type Props = {
  /** Initial text. After that, the editor holds the text and reports each change. */
  text: string
  variables: Variables
  problem: Problem | null
  label: string
  /** ID of the line with the error message. */
  describedBy: string
  onChange: (text: string) => void
  /** Called on Enter when no completion is selected. Shift+Enter inserts a line break. */
  onEnter: () => void
}

/** The text editor of a rule: syntax colors, completion and underlined errors. Tab leaves it, as in any field. */
export function RuleEditor({ text, variables, problem, label, describedBy, onChange, onEnter }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const attributes = useRef(new Compartment())
  const tell = useEffectEvent(onChange)
  const enter = useEffectEvent(onEnter)
  const complete = useEffectEvent((context: CompletionContext) => {
    const { from, options } = completionsAt(context.state.doc.toString(), context.pos, variables)
    const isAsked = context.explicit || from < context.pos
    if (!isAsked || options.length === 0) return null
    return {
      from,
      options: options.map(({ label: name, insert, detail }) => ({ label: name, apply: insert, detail })),
    }
  })
  const open = useEffectEvent((parent: HTMLElement) => {
    const submit = () => {
      enter()
      return true
    }
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        selection: { anchor: text.length },
        extensions: [
          history(),
          bracketMatching(),
          ruleColors,
          autocompletion({ override: [(context) => complete(context)], icons: false, interactionDelay: 0 }),
          EditorView.lineWrapping,
          // After the completion keys: Enter accepts a selected completion first.
          keymap.of([{ key: 'Enter', run: submit }, ...historyKeymap, ...defaultKeymap]),
          attributes.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tell(update.state.doc.toString())
          }),
        ],
      }),
    })
    editor.focus()
    return editor
  })

  useEffect(() => {
    const editor = host.current && open(host.current)
    view.current = editor
    return () => editor?.destroy()
  }, [])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const described = {
      'aria-label': label,
      'aria-describedby': describedBy,
      'aria-invalid': String(problem !== null),
      spellcheck: 'false',
    }
    editor.dispatch({
      effects: attributes.current.reconfigure(EditorView.contentAttributes.of(described)),
    })
    editor.dispatch(setDiagnostics(editor.state, placesOf(problem, editor.state.doc.length)))
  }, [problem, label, describedBy])

  // Code is left-to-right even in right-to-left languages.
  return <div ref={host} dir="ltr" className="fc-rule-editor" />
}

/** An error at the end of the text has no character of its own, so the last character is underlined. */
function placesOf(problem: Problem | null, length: number): Diagnostic[] {
  if (!problem || length === 0) return []
  const from = Math.min(problem.from, length - 1)
  const to = Math.min(Math.max(problem.to, from + 1), length)
  return [{ from, to, severity: 'error', message: problem.message }]
}
