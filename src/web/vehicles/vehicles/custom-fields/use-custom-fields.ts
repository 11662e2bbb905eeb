import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { customFields } from '#contract/vehicles/vehicles/custom-fields/custom-fields.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'

const REQUIRED = permissionsFor(customFields.list.allow)
const NONE: readonly CustomField[] = []

/** The active custom fields; empty while loading, and for users who may not see vehicles. */
export function useCustomFields(): { fields: readonly CustomField[]; isPending: boolean } {
  const holds = useHolds()
  const enabled = REQUIRED.every((one) => holds(one) === true)
  const { data, isPending } = useQuery({ ...query(customFields.list, {}), enabled, staleTime: 60_000 })
  const fields = useMemo(() => data?.filter(({ isArchived }) => !isArchived) ?? NONE, [data])
  return { fields, isPending: enabled && isPending }
}
