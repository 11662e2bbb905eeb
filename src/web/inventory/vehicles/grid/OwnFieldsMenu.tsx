import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import '#web/ui/list/list.css'
import '#web/ui/list/table/table.css'
import '#web/ui/list/table/blocks.css'

type Props = {
  fields: readonly CustomField[]
  /** The names of those that are columns. */
  shown: readonly string[]
  /** The names of those that hold what is not saved: they stay. */
  writtenFields: () => ReadonlySet<string>
  onShow: (names: readonly string[]) => void
}

/** Which of the customer's own fields are columns of the grid. */
export function OwnFieldsMenu(props: Props) {
  const trigger = (
    <>
      <IconColumns3 size={16} aria-hidden="true" />
      Custom fields
    </>
  )
  return (
    <DropMenu kind="panel" name="Custom fields" side="start" className="fc-quiet" trigger={trigger}>
      <Fields {...props} />
    </DropMenu>
  )
}

function Fields({ fields, shown, writtenFields, onShow }: Props) {
  // While this is open nobody writes in the grid.
  const [written] = useState(writtenFields)
  const toggle = (name: string) => {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]
    // In the order in which every screen has them.
    onShow(fields.map(customFieldName).filter((one) => next.includes(one)))
  }
  return (
    <ul className="fc-columns">
      {fields.map((field) => {
        const name = customFieldName(field)
        const isShown = shown.includes(name)
        const isHeld = isShown && written.has(name)
        return (
          <li key={name} className="fc-column">
            <label>
              <input type="checkbox" checked={isShown} disabled={isHeld} onChange={() => toggle(name)} />
              <bdi className="fc-grow">{field.name}</bdi>
            </label>
            {isHeld && <span className="fc-small fc-faint">Not saved yet</span>}
          </li>
        )
      })}
    </ul>
  )
}
