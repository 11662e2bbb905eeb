import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import { addQuestion } from './content-changes.ts'
import { QuestionIcon } from './QuestionIcon.tsx'
import { titleOfType } from './question-types.ts'
import type { Builder } from './use-builder.ts'

type Props = {
  builder: Builder
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactElement
}

/** A menu of question types. Adds one after the chosen question. */
export function TypeMenu({ builder, isOpen, onToggle, children }: Props) {
  const { content, chosen, apply, kit } = builder
  return (
    <Menu
      position="bottom-start"
      width={232}
      {...(isOpen !== undefined && { opened: isOpen })}
      {...(onToggle && { onChange: onToggle })}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className="fc-type-menu">
        {kit.types.map(({ value, label }) => (
          <Menu.Item
            key={value}
            leftSection={<QuestionIcon type={value} />}
            onClick={() => {
              apply(addQuestion(content, chosen, value, kit.noun), `${titleOfType(value)} added`)
              focusTitle()
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The first thing to do with a new question is to write it. The menu returns the focus first. */
function focusTitle() {
  setTimeout(() => {
    const input = document.querySelector<HTMLTextAreaElement>('.fc-properties [data-title]')
    input?.focus()
    input?.select()
  }, 150)
}
