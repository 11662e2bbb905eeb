import { useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { explain } from './explain.ts'
import { GrantBox } from './GrantBox.tsx'
import { isChanged, OPERATIONS, permissionsOf } from './matrix.ts'
import type { GrantsProps } from './MatrixTable.tsx'
import { PresetMenu } from './PresetMenu.tsx'

/** The matrix on a narrow screen: a block per function, with labeled checkboxes. */
export function MatrixBlocks({ matrix, owner, groups, isReadOnly, onToggle, onPick }: GrantsProps) {
  // The permission touched last. Its explanation is shown below its function.
  const [explained, setExplained] = useState<Permission | null>(null)
  return groups.map((group) => (
    <section key={group.title} className="fc-grants" aria-label={group.title}>
      <h2>{group.title}</h2>
      {group.rows.map((row) => (
        <fieldset key={row.func} aria-label={row.title}>
          <div className="fc-grants-head">
            <span className="fc-grow">
              {row.title} <span className="fc-faint fc-number">{row.func}</span>
            </span>
            <PresetMenu {...{ matrix, row, isReadOnly }} onPick={(preset) => onPick(row, preset)} />
          </div>
          <div className="fc-grants-boxes">
            {permissionsOf(row).map((permission) => (
              <label key={permission.opr} data-changed={isChanged(matrix, permission) || undefined}>
                <GrantBox
                  {...{ matrix, permission, isReadOnly, onToggle }}
                  why={explain(matrix, owner, permission)}
                  onReach={setExplained}
                />
                {OPERATIONS.find(({ opr }) => opr === permission.opr)?.title}
              </label>
            ))}
          </div>
          {explained?.func === row.func && (
            <p className="fc-small fc-soft">
              <bdi>{explain(matrix, owner, explained)}</bdi>
            </p>
          )}
        </fieldset>
      ))}
    </section>
  ))
}
