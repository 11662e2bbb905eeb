import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import '#web/ui/list/list.css'
import '#web/ui/list/table/table.css'
import '#web/ui/list/table/blocks.css'

type Props = {
  fields: readonly CustomField[]
  /** The names of the fields shown as columns. */
  shown: readonly string[]
  /** The names of the fields with unsaved changes, which can't be hidden. */
  editedFields: () => ReadonlySet<string>
  onShow: (names: readonly string[]) => void
}

/** Menu to show or hide custom fields as columns of the grid. */
export function CustomFieldsMenu(props: Props) {
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

function Fields({ fields, shown, editedFields, onShow }: Props) {
  // The grid can't be edited while the menu is open.
  const [edited] = useState(editedFields)
  const toggle = (name: string) => {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]
    // In the same order as on every screen.
    onShow(fields.map(customFieldName).filter((one) => next.includes(one)))
  }
  return (
    <ul className="fc-columns">
      {fields.map((field) => {
        const name = customFieldName(field)
        const isShown = shown.includes(name)
        const isUnsaved = isShown && edited.has(name)
        return (
          <li key={name} className="fc-column">
            <label>
              <input type="checkbox" checked={isShown} disabled={isUnsaved} onChange={() => toggle(name)} />
              <bdi className="fc-grow">{field.name}</bdi>
            </label>
            {isUnsaved && <span className="fc-small fc-faint">Unsaved changes</span>}
          </li>
        )
      })}
    </ul>
  )
}
