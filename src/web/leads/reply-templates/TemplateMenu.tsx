import { Button, Menu } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { type AnswerTemplate, answerTemplates } from '#contract/leads/reply-templates/answer-templates.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import './answers.css'

type Props = {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Inserts it and focuses the text. */
  onChoose: (template: AnswerTemplate) => void
}

/** The templates of an email, and the way to manage them. */
export function TemplateMenu({ isOpen, onOpen, onChoose }: Props) {
  const target = useRef<HTMLButtonElement>(null)
  /** What was chosen took the focus. */
  const hasChosen = useRef(false)
  const choose = (act: () => void) => {
    hasChosen.current = true
    act()
  }
  return (
    <Menu
      opened={isOpen}
      onChange={(next) => {
        if (next) hasChosen.current = false
        onOpen(next)
      }}
      onExitTransitionEnd={() => {
        if (!hasChosen.current) target.current?.focus()
        hasChosen.current = false
      }}
      position="top-end"
      width={280}
      trapFocus
      returnFocus={false}
    >
      <Menu.Target>
        <Button
          ref={target}
          variant="default"
          size="xs"
          leftSection={<IconTemplate size={14} aria-hidden="true" />}
        >
          Templates
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="fc-answer-templates">
        {isOpen && <Items onChoose={(template) => choose(() => onChoose(template))} choose={choose} />}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The list may arrive after the menu opened. A constant, so that it runs once. */
const focusFirst = (item: HTMLElement | null) => item?.focus()

function Items({ onChoose, choose }: Pick<Props, 'onChoose'> & { choose: (act: () => void) => void }) {
  const navigate = useNavigate({ from: '/customers/leads' })
  const holds = useHolds()
  const { data, error } = useQuery(query(answerTemplates.list, {}))
  if (error) return <p className="fc-small fc-lead-menu-note">{error.message}</p>
  if (!data) return <p className="fc-small fc-lead-menu-note">Loading</p>
  const mayManage = permissionsFor(answerTemplates.update.allow).some((one) => holds(one) === true)
  return (
    <>
      {data.length === 0 && <p className="fc-small fc-lead-menu-note">No templates yet.</p>}
      {data.map((template, at) => (
        <Menu.Item
          key={template.id}
          ref={at === 0 ? focusFirst : undefined}
          onClick={() => onChoose(template)}
        >
          <bdi>{template.name}</bdi>
          <span className="fc-second fc-cut">
            <bdi>{template.text}</bdi>
          </span>
        </Menu.Item>
      ))}
      {mayManage && (
        <>
          <Menu.Divider />
          <Menu.Item
            onClick={() =>
              choose(() => void navigate({ search: (before) => ({ ...before, panel: 'templates' }) }))
            }
          >
            Manage templates
          </Menu.Item>
        </>
      )}
    </>
  )
}
