import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { completionsAt } from '#contract/expressions/complete.ts'
import type { Problem } from '#contract/expressions/read.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { ruleColors } from './rule-colors.ts'
import './rule-editor.css'

type Props = {
  /** What it opens with. From then on the editor holds the text, and tells of each change. */
  text: string
  variables: Variables
  problem: Problem | null
  label: string
  /** The id of the line that tells the problem. */
  describedBy: string
  onChange: (text: string) => void
  /** Enter, where no completion is chosen. Shift and Enter begin a new line. */
  onEnter: () => void
}

/** The text of a rule: coloured, completed, with the place of a mistake underlined. Tab leaves it, as any field. */
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
          // After the keys of the completion: Enter takes what is chosen there first.
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

  // It is code, also where people read from the right.
  return <div ref={host} dir="ltr" className="fc-rule-editor" />
}

/** A mistake at the end of the text has no character of its own: the last one is underlined. */
function placesOf(problem: Problem | null, length: number): Diagnostic[] {
  if (!problem || length === 0) return []
  const from = Math.min(problem.from, length - 1)
  const to = Math.min(Math.max(problem.to, from + 1), length)
  return [{ from, to, severity: 'error', message: problem.message }]
}
