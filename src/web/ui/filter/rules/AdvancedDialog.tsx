import { Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, lazy, Suspense, useId, useState } from 'react'
import type { Variables } from '#contract/expressions/variables.ts'
import { query, queryClient } from '#web/api/query.ts'
import { ask, MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { EditorModeSwitch } from './EditorModeSwitch.tsx'
import type { FilterProps } from '../filter-props.ts'
import { countInput } from '../match-count.ts'
import { MatchLine } from '../MatchLine.tsx'
import { isEverything, openDraft, type RuleDraft, toBuilderMode, draftResult } from './rule-draft.ts'
import './advanced.css'

const RuleBuilder = lazy(async () => ({ default: (await import('./RuleBuilder.tsx')).RuleBuilder }))
const RuleText = lazy(async () => ({ default: (await import('./RuleText.tsx')).RuleText }))

type Props = Pick<FilterProps, 'list' | 'endpoint'> & {
  variables: Variables
  search: string
  filter: string
  onApply: (filter: string) => void
  onClose: () => void
}

/**
 * The advanced filter of a list: conditions in a builder, or text. Both edit the same rule; what the builder can't
 * show stays text. Apply puts it into the URL, Cancel discards it.
 */
export function AdvancedDialog({ list, endpoint, variables, search, filter, onApply, onClose }: Props) {
  const [draft, setDraft] = useState<RuleDraft>(() => openDraft(filter, variables))
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const written = draftResult(draft, variables)
  const inBuilder = draft.face === 'builder' ? draft : toBuilderMode(draft, variables)
  const [, many] = list.nouns
  const line = useId()

  const apply = async () => {
    if (!written.ok) return
    const isNew = written.text !== filter
    if (
      isNew &&
      isEverything(written.text, variables) &&
      !(await confirmEverything({ list, endpoint, text: written.text, search }))
    )
      return
    onApply(written.text)
  }
  const show = (face: RuleDraft['face']) => {
    if (face === draft.face) return
    if (face === 'text') setDraft({ face, text: written.ok ? written.text : draft.text })
    else if (typeof inBuilder !== 'string') setDraft(inBuilder)
  }
  // Mantine listens on the window, so it would get Escape before an open dropdown does.
  const closeOnEscape = (event: KeyboardEvent) => {
    const isInList =
      event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true'
    if (event.key === 'Escape' && !event.defaultPrevented && !isInList) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={closeOnEscape}
      closeOnEscape={false}
      title={`Filter ${many}`}
      size={820}
      fullScreen={isNarrow}
      classNames={{ body: 'fc-rule' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: MODAL_TRANSITION.duration, exitDuration: 0 }}
    >
      <EditorModeSwitch
        face={draft.face}
        whyNoBuilder={typeof inBuilder === 'string' ? inBuilder : null}
        whyNoText={draft.face === 'builder' && !written.ok ? line : null}
        onFace={show}
      />
      <div className="fc-rule-face">
        <Suspense fallback={<Spinner label="Loading the rule" />}>
          {draft.face === 'builder' ? (
            <RuleBuilder
              variables={variables}
              group={draft.group}
              onChange={(group) => setDraft({ ...draft, group })}
            />
          ) : (
            <RuleText
              text={draft.text}
              variables={variables}
              written={written}
              onChange={(text) => setDraft({ face: 'text', text })}
              onEnter={() => void apply()}
            />
          )}
        </Suspense>
      </div>
      <div className="fc-rule-end">
        <MatchLine id={line} {...{ list, endpoint, search, written }} />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          {...(!written.ok && {
            'data-disabled': true,
            'aria-disabled': true,
            'aria-description': written.message,
          })}
          onClick={() => void apply()}
        >
          Apply
        </Button>
      </div>
    </Modal>
  )
}

/** Asks before a rule without conditions shows every record, with their number. */
async function confirmEverything({
  list,
  endpoint,
  text,
  search,
}: Pick<Props, 'list' | 'endpoint' | 'search'> & { text: string }): Promise<boolean> {
  const [, many] = list.nouns
  const all = await queryClient.fetchQuery(query(endpoint, countInput(text, search))).then(
    ({ filteredRows }) => `all ${count(filteredRows, ...list.nouns)}`,
    () => `all ${many}`,
  )
  const matched = search === '' ? '' : ` that match “${search}”`
  return ask({
    title: `Show all ${many}?`,
    text: `The rule has no conditions. This shows ${all}${matched}.`,
    confirm: `Show ${all}`,
  })
}
