import { Button } from '@mantine/core'
import { IconPlus, IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AnswerTemplate, answerTemplates } from '#contract/leads/reply-templates/answer-templates.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { useRoutingLock } from '../routing/use-routing-settings.ts'
import { TemplateDrawer } from './TemplateDrawer.tsx'
import './answers.css'

/** The templates for answers to buyers: the list, and one of them in its place. */
export function TemplatesDrawer({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(answerTemplates.list, {}))
  const [openId, setOpenId] = useState<string | null>(null)
  if (openId !== null) return <TemplateDrawer key={openId} id={openId} onDone={() => setOpenId(null)} />
  return (
    <FormDrawer
      title="Answer templates"
      about="Texts for answers to buyers, for all stores"
      size={560}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={answerTemplates.list}
          what="the templates"
          onRetry={() => void refetch()}
        />
      )}
      {!error && !data && <RecordSkeleton label="Loading the templates" shape="fields" />}
      {data && <TemplateList templates={data} onOpen={setOpenId} />}
    </FormDrawer>
  )
}

type ListProps = { templates: readonly AnswerTemplate[]; onOpen: (id: string) => void }

function TemplateList({ templates, onOpen }: ListProps) {
  const lock = useRoutingLock()
  const add = (
    <Action
      for={answerTemplates.add}
      lock={lock}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => onOpen('new')}
    >
      Add template
    </Action>
  )
  if (templates.length === 0) {
    return (
      <EmptyState
        tone="brand"
        icon={<IconTemplate size={18} />}
        title="No templates yet"
        text="A template is a text that you insert into an answer. It fills in the buyer, the vehicle and its total price."
      >
        {add}
      </EmptyState>
    )
  }
  return (
    <div className="fc-answers">
      {lock !== null && <Notice>{lock}</Notice>}
      <div className="fc-row">
        <p className="fc-small fc-soft fc-grow">In an answer, choose Templates or press t.</p>
        {add}
      </div>
      <ul aria-label="Templates">
        {templates.map(({ id, name, text }) => (
          <li key={id}>
            <Button variant="subtle" className="fc-answers-open" onClick={() => onOpen(id)}>
              <bdi>{name}</bdi>
              <span className="fc-second fc-cut">
                <bdi>{text}</bdi>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
