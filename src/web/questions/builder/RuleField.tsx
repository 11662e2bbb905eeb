import { Button, Modal } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Variables } from '#contract/expressions/variables.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { NO_CONDITIONS } from '#web/ui/filter/rules/builder-group.ts'
import { EditorModeSwitch } from '#web/ui/filter/rules/EditorModeSwitch.tsx'
import { draftResult, openDraft, type RuleDraft, toBuilderMode } from '#web/ui/filter/rules/rule-draft.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { closeOnOwnEscape } from '#web/ui/overlay/stacking.ts'
import '#web/ui/filter/rules/advanced.css'

const RuleBuilder = lazy(async () => ({
  default: (await import('#web/ui/filter/rules/RuleBuilder.tsx')).RuleBuilder,
}))
const RuleText = lazy(async () => ({
  default: (await import('#web/ui/filter/rules/RuleText.tsx')).RuleText,
}))

type Props = {
  label: string
  /** What applies without a rule. */
  without: string
  rule: string | undefined
  /** The answers that the rule can use. */
  variables: Variables
  /** Undefined removes the rule. */
  onChange: (rule: string | undefined) => void
}

/** A rule on answers, edited in a dialog: as rows, or as text with completion. */
export function RuleField({ label, without, rule, variables, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="fc-rule-field">
      <span className="fc-rule-label">{label}</span>
      {rule === undefined ? <span className="fc-faint">{without}</span> : <code>{rule}</code>}
      <span className="fc-row">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${label}: ${rule === undefined ? 'add' : 'change'} rule`}
          onClick={() => setOpen(true)}
        >
          {rule === undefined ? 'Add rule' : 'Change'}
        </Button>
        {rule !== undefined && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`${label}: remove rule`}
            onClick={() => onChange(undefined)}
          >
            Remove
          </Button>
        )}
      </span>
      {isOpen && (
        <RuleDialog
          {...{ label, variables }}
          rule={rule ?? ''}
          onApply={(text) => {
            onChange(text === '' ? undefined : text)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

type DialogProps = {
  label: string
  rule: string
  variables: Variables
  onApply: (rule: string) => void
  onClose: () => void
}

function RuleDialog({ label, rule, variables, onApply, onClose }: DialogProps) {
  const [draft, setDraft] = useState<RuleDraft>(() => openDraft(rule, variables))
  const written = draftResult(draft, variables)
  const inBuilder = draft.face === 'builder' ? draft : toBuilderMode(draft, variables)
  const apply = () => {
    if (written.ok) onApply(written.text)
  }
  const show = (face: RuleDraft['face']) => {
    if (face === draft.face) return
    if (face === 'text') setDraft({ face, text: written.ok ? written.text : draft.text })
    else if (typeof inBuilder !== 'string') setDraft(inBuilder)
  }
  let editor: ReactNode = (
    <RuleBuilder
      variables={variables}
      group={draft.face === 'builder' ? draft.group : NO_CONDITIONS}
      onChange={(group) => draft.face === 'builder' && setDraft({ ...draft, group })}
    />
  )
  if (draft.face === 'text') {
    editor = (
      <RuleText
        text={draft.text}
        {...{ variables, written }}
        onChange={(text) => setDraft({ face: 'text', text })}
        onEnter={apply}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={closeOnOwnEscape(onClose)}
      closeOnEscape={false}
      title={label}
      size={760}
      classNames={{ body: 'fc-rule' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: MODAL_TRANSITION.duration, exitDuration: 0 }}
    >
      <EditorModeSwitch
        face={draft.face}
        whyNoBuilder={typeof inBuilder === 'string' ? inBuilder : null}
        whyNoText={draft.face === 'builder' && !written.ok ? 'rule-result' : null}
        onFace={show}
      />
      <div className="fc-rule-face">
        <Suspense fallback={<Spinner label="Loading the rule" />}>{editor}</Suspense>
      </div>
      <div className="fc-rule-end">
        <output id="rule-result" className="fc-grow fc-small fc-faint">
          {written.ok ? '' : written.message}
        </output>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          {...(!written.ok && {
            'data-disabled': true,
            'aria-disabled': true,
            'aria-description': written.message,
          })}
          onClick={apply}
        >
          Apply
        </Button>
      </div>
    </Modal>
  )
}
