import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import type { View } from '#contract/lists/views.ts'
import { can, describe, Func, Opr } from '#contract/permissions.ts'
import { CallFailure } from '#web/api/failure.ts'
import { query } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { scopeNames } from './view-labels.ts'

export type ViewValues = { name: string; scope: View['scope']; userTypeId?: string }

type Props = {
  /** Initial values. */
  values: ViewValues
  confirm: string
  /** May throw a CallFailure, which is shown. */
  save: (values: ViewValues) => Promise<void>
  onCancel: () => void
}

/** Sharing with a user type other than one's own requires permission to administer user types. */
const ADMINISTERS_TYPES = can(Func.userTypes, Opr.administer)
/** Showing a view to others. */
const SHARES = can(Func.sharedViews, Opr.create)

/** The name of a view and who can see it. */
export function SaveViewForm({ values, confirm, save, onCancel }: Props) {
  const { claims } = useSession()
  const holds = useHolds()
  const keepsTypes = holds(ADMINISTERS_TYPES) === true
  const mayShare = holds(SHARES) === true
  const [wanted, setWanted] = useState(values)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const isOfType = wanted.scope === 'userType'
  const types = useQuery({ ...query(userTypes.forParent, {}), enabled: isOfType && keepsTypes })
  const names = scopeNames({ organization: claims?.organizationName ?? '', userType: null })
  const nameError = failure?.fields['name']

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    setIsBusy(true)
    setFailure(null)
    try {
      await save({ ...wanted, name: wanted.name.trim() })
    } catch (cause) {
      if (!(cause instanceof CallFailure)) throw cause
      setFailure(cause)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form className="fc-dialog-form" onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Name"
        required
        maxLength={60}
        data-autofocus
        autoComplete="off"
        value={wanted.name}
        error={nameError}
        onChange={(event) => setWanted({ ...wanted, name: event.currentTarget.value })}
      />
      <Select
        label="Shared with"
        allowDeselect={false}
        data={names.map(({ scope, name }) => ({
          value: scope,
          label: name,
          disabled: scope !== 'private' && !mayShare,
        }))}
        {...(!mayShare && { description: `Sharing requires ${describe(SHARES)}.` })}
        value={wanted.scope}
        onChange={(value) => {
          const chosen = names.find(({ scope }) => scope === value)
          if (chosen) setWanted({ name: wanted.name, scope: chosen.scope })
        }}
      />
      {isOfType && keepsTypes && (
        <Select
          label="User type"
          placeholder="Your own"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear user type' }}
          data={types.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={wanted.userTypeId ?? null}
          error={failure?.fields['userTypeId']}
          onChange={(id) =>
            setWanted({ name: wanted.name, scope: 'userType', ...(id !== null && { userTypeId: id }) })
          }
        />
      )}
      {failure && nameError === undefined && (
        <p role="alert" className="fc-refusal">
          <bdi>{failure.message}</bdi>
        </p>
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          {confirm}
        </Button>
      </div>
    </form>
  )
}
