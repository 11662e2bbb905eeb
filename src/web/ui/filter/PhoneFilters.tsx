import { Button, Drawer } from '@mantine/core'
import { IconAdjustments, IconPlus, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { BarProps } from './ChipRow.tsx'
import { ConditionEditor } from './ConditionEditor.tsx'
import { conditionLabel } from './condition-labels.ts'
import { AddFilterText } from './AddFilterText.tsx'
import type { FilterProps } from './filter-props.ts'
import { useMatchCount } from './match-count.ts'
import { withoutPart, withPart } from './rules/rule-parts.ts'
import { ChipLabel, labelOf } from './RuleChip.tsx'
import '../controls/drop-menu.css'

type Props = BarProps & Pick<FilterProps, 'list' | 'endpoint'> & { value: string; search: string }

/** Content of the sheet: the list of filters, or the form of one of them by index. */
type Stage = 'list' | number

/** The filter on a narrow screen: one button with the count, and a sheet for everything else. */
export function PhoneFilters(props: Props) {
  const { parts, problem, button, isOpen, onOpen, onAdvanced } = props
  return (
    <>
      <button
        ref={button}
        type="button"
        className="fc-add-filter"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => onOpen(true)}
      >
        <AddFilterText />
        {parts.length > 0 && (
          <span className="fc-filters-count" data-broken={problem !== undefined || undefined}>
            {parts.length}
          </span>
        )}
      </button>
      <Drawer
        opened={isOpen}
        onClose={() => onOpen(false)}
        title="Filters"
        position="right"
        size={480}
        padding="lg"
        classNames={{ content: 'fc-drawer fc-filter-sheet' }}
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 100, exitDuration: 0 }}
      >
        <Sheet
          {...props}
          onClose={() => onOpen(false)}
          onAdvanced={() => {
            onOpen(false)
            onAdvanced()
          }}
        />
      </Drawer>
    </>
  )
}

function Sheet({
  list,
  endpoint,
  value,
  search,
  parts,
  variables,
  nameOf,
  onChange,
  onAdvanced,
  onClose,
}: Props & { onClose: () => void }) {
  const [stage, setStage] = useState<Stage>(parts.length === 0 ? 0 : 'list')
  const { counted } = useMatchCount({ endpoint, search, filter: value })
  const [one, many] = list.nouns
  const add = useRef<HTMLButtonElement>(null)
  const remove = (filter: string, { isLast }: { isLast: boolean }) => {
    // The remaining filters move up under the focus; after the last one, the next button takes it.
    if (isLast) add.current?.focus()
    onChange(filter)
  }

  if (stage !== 'list') {
    const leaf = parts[stage]?.leaf ?? null
    return (
      <ConditionEditor
        variables={variables}
        leaf={leaf}
        onApply={(text) => {
          setStage('list')
          if (text !== null) onChange(withPart(parts, stage, text))
        }}
        onCancel={() => setStage('list')}
        onAdvanced={onAdvanced}
      />
    )
  }
  return (
    <div className="fc-filter-list">
      <ul aria-label="Filters">
        {parts.map(({ text, leaf }, at) => {
          const words = leaf && conditionLabel(leaf, variables, nameOf)
          return (
            // Parts have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>
              <button type="button" onClick={() => (leaf ? setStage(at) : onAdvanced())}>
                <ChipLabel words={words} text={text} />
              </button>
              <button
                type="button"
                aria-label={`Remove filter: ${labelOf(words, text)}`}
                onClick={() => remove(withoutPart(parts, at), { isLast: at === parts.length - 1 })}
              >
                <IconX size={16} aria-hidden="true" />
              </button>
            </li>
          )
        })}
      </ul>
      <button ref={add} type="button" className="fc-drop-item" onClick={() => setStage(parts.length)}>
        <IconPlus size={16} aria-hidden="true" /> Filter
      </button>
      <button type="button" className="fc-drop-item" onClick={onAdvanced}>
        <IconAdjustments size={16} aria-hidden="true" /> Advanced
      </button>
      <div className="fc-condition-end">
        {parts.length > 0 && (
          <Button variant="default" onClick={() => remove('', { isLast: true })}>
            Clear
          </Button>
        )}
        <Button onClick={onClose} ref={comeBack}>
          {counted
            ? `Show ${counted.matching.toLocaleString()} ${counted.matching === 1 ? one : many}`
            : 'Show'}
        </Button>
      </div>
    </div>
  )
}

/** When returning from a form, the focus has been lost. */
function comeBack(button: HTMLButtonElement | null): void {
  if (document.activeElement === document.body) button?.focus()
}
