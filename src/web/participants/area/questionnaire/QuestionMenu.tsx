import { VisuallyHidden } from '@mantine/core'
import { IconDots, IconPaperclip } from '@tabler/icons-react'
import { type RefObject, useRef } from 'react'
import type { Question } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import type { FieldContext } from '#web/questions/field-props.ts'
import { useArea } from '../area.ts'
import type { Part } from './DelegateDialog.tsx'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

const FILES = 'image/*,application/pdf,.csv,.xlsx,.ods,.docx,.txt'

export type QuestionMenuProps = {
  question: Question
  number: string
  open: OpenQuestionnaire
  context: FieldContext
  onFiles: (files: readonly File[], isAnswer: boolean) => void
  onAsk: () => void
  onDelegate: (part: Part) => void
  /** It can be changed now. */
  isOpen: boolean
}

/** Adding evidence to a question, asking about it, and giving it to a colleague. */
export function QuestionMenu(props: QuestionMenuProps) {
  const { question, number, open, context, onFiles, onAsk, onDelegate, isOpen } = props
  const { text, language } = useArea()
  const { record } = open
  const photo = useRef<HTMLInputElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const { code, title } = question
  const mayDelegate =
    isOpen &&
    record.role === 'owner' &&
    record.delegations.every(({ questionCode, rowKey }) => questionCode !== code || rowKey !== null)
  const isFile = question.type === 'file'
  // A photo taken for a file question is its answer.
  const add = (files: readonly File[]) => onFiles(files, isFile)
  const name = textIn(title, context.language, context.languages)
  return (
    <div className="fc-area-question-menu" lang={language}>
      <FileInput pick={photo} accept="image/*" capture="environment" onFiles={add} />
      <FileInput pick={file} accept={FILES} multiple onFiles={add} />
      <DropMenu
        kind="menu"
        side="end"
        className="fc-area-icon"
        trigger={
          <>
            <IconDots size={18} aria-hidden="true" />
            <VisuallyHidden>{text('actions', { n: number })}</VisuallyHidden>
          </>
        }
      >
        {isOpen && (
          <>
            <button
              type="button"
              role="menuitem"
              className="fc-drop-item fc-area-camera"
              onClick={() => photo.current?.click()}
            >
              {text('takePhoto')}
            </button>
            {!isFile && (
              <button
                type="button"
                role="menuitem"
                className="fc-drop-item"
                onClick={() => file.current?.click()}
              >
                <IconPaperclip size={16} aria-hidden="true" />
                {text('addEvidence')}
              </button>
            )}
          </>
        )}
        <button type="button" role="menuitem" className="fc-drop-item" onClick={onAsk}>
          {text('askAbout')}
        </button>
        {mayDelegate && (
          <button
            type="button"
            role="menuitem"
            className="fc-drop-item"
            onClick={() => onDelegate({ kind: 'question', code, title: name })}
          >
            {text('delegate')}
          </button>
        )}
      </DropMenu>
    </div>
  )
}

type FileInputProps = {
  pick: RefObject<HTMLInputElement | null>
  accept: string
  multiple?: boolean
  /** Opens the camera on a phone. */
  capture?: 'environment'
  onFiles: (files: readonly File[]) => void
}

/** Opened by a menu item, whose own element is gone by then. */
function FileInput({ pick, onFiles, ...input }: FileInputProps) {
  return (
    <input
      ref={pick}
      type="file"
      hidden
      {...input}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        currentTarget.value = ''
        if (files.length > 0) onFiles(files)
      }}
    />
  )
}
