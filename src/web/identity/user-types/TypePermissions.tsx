import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UserType, type UserTypeChoice, userTypes } from '#contract/identity/user-types/user-types.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { type Cells, toCells, toPermissions } from './permissions/matrix.ts'
import { MatrixSkeleton } from './permissions/MatrixSkeleton.tsx'
import { PermissionEditor } from './permissions/PermissionEditor.tsx'
import { whyFixed } from './permissions/why-fixed.ts'
import { setTypeInCache } from './set-type-in-cache.ts'
import { countUsers } from './type-labels.ts'

type Props = {
  /** Undefined until it is known. */
  id: string | undefined
  choices: readonly UserTypeChoice[] | null
}

const updateType = send(userTypes.update)
const NONE: Cells = new Set()

/** The permissions of a user type, to view and edit. */
export function TypePermissions({ id = '', choices }: Props) {
  const holds = useHolds()
  const [isComparing, setIsComparing] = useState(false)
  const type = useLoad({ ...query(userTypes.get, { id }), enabled: id !== '' })
  const granted = useLoad({ ...query(userTypes.permissions, { id }), enabled: id !== '' })
  const above = choices?.find((choice) => choice.id === type.data?.parentId)
  const compared = useQuery({
    ...query(userTypes.permissions, { id: above?.id ?? '' }),
    enabled: isComparing && above !== undefined,
  })
  return (
    <Loaded query={both(type, granted)} what="this user type" shape={<MatrixSkeleton />}>
      {([shown, { permissions }]) => {
        const { name, people, lock, version } = shown
        const fixed = whyFixed(
          { lock, endpoint: userTypes.update, administer: can(Func.userTypes, Opr.administer) },
          holds,
        )
        return (
          <PermissionEditor
            owner={{ kind: 'type', name, comparedWith: isComparing ? above?.name : undefined }}
            name={name}
            affected={countUsers(people)}
            inherited={NONE}
            compared={isComparing && compared.data ? toCells(compared.data.permissions) : null}
            {...(above && { onCompare: setIsComparing })}
            saved={toCells(permissions)}
            version={version}
            fixed={fixed}
            endpoint={userTypes.update}
            schema={UserType}
            save={(changed, over) => updateType({ userType: { id, version: over }, permissions: changed })}
            load={() => loadGrants(id)}
            keep={(saved, cells) => {
              setTypeInCache(saved)
              saveGrants(id, cells)
            }}
          />
        )
      }}
    </Loaded>
  )
}

async function loadGrants(id: string): Promise<Cells> {
  const { permissions } = await queryClient.fetchQuery({
    ...query(userTypes.permissions, { id }),
    staleTime: 0,
  })
  return toCells(permissions)
}

function saveGrants(id: string, cells: Cells): void {
  const granted = { isSuper: false, permissions: toPermissions(cells) }
  queryClient.setQueryData([...keyOf(userTypes.permissions), { id }], granted)
}
