import { Popover } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { cellText, explainCell, lookOf } from './board-rows.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  /** Of the target: opens its page at the section. */
  params: { id: string; targetId: string }
  title: string
  section: Target['sections'][number] | undefined
  /** Its explanation is open. */
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** A cell of the heat map. Choosing it explains its figure. */
export function SectionCell({ params, title, section, isOpen, onOpen }: Props) {
  if (section === undefined) return <span className="fc-heat" data-look="none" />
  const look = lookOf(section)
  const explanation = explainCell(title, section)
  const cell = (
    <button
      type="button"
      className="fc-heat"
      data-look={look}
      // The row is one tab stop: screen readers read the cells of the table, and Enter opens the target.
      tabIndex={-1}
      title={explanation}
      aria-label={explanation}
      onClick={() => onOpen(!isOpen)}
    >
      {look === 'all' ? <IconCheck size={15} stroke={1.8} aria-hidden="true" /> : cellText(section)}
    </button>
  )
  if (!isOpen) return cell
  return (
    <Popover opened onChange={onOpen} width={240} position="bottom" withArrow trapFocus={false}>
      <Popover.Target>{cell}</Popover.Target>
      <Popover.Dropdown>
        <p className="fc-small">{explanation}</p>
        {section.questions > 0 && (
          <Link
            to="/assessments/$id/targets/$targetId"
            params={params}
            search={{ section: section.section }}
            className="fc-small"
          >
            Open the questions
          </Link>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
