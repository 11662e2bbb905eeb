import { type User, userRecord, users } from '#contract/identity/users/users.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { type Cells, DECLARED, toCells, toPermissions } from '../user-types/permissions/matrix.ts'
import { MatrixSkeleton } from '../user-types/permissions/MatrixSkeleton.tsx'
import { PermissionEditor } from '../user-types/permissions/PermissionEditor.tsx'
import { whyFixed } from '../user-types/permissions/why-fixed.ts'
import { setUserInCache } from './set-user-in-cache.ts'
import { nameOfUser } from './user-labels.ts'

const updateUser = send(users.update)
const EVERYTHING = toCells(DECLARED)

/** A user's permissions: what the user type grants, and the user's overrides. */
export function UserPermissions({ user }: { user: User }) {
  const { id, userTypeId, userTypeName, isSuper, version } = user
  const holds = useHolds()
  const { claims } = useSession()
  const granted = useLoad(query(userTypes.permissions, { id: userTypeId }))
  const own = useLoad(query(users.permissions, { id }))
  const name = nameOfUser(user)
  const isSelf = id === claims?.impersonateUserId
  function explainFixed(): string | null {
    if (isSuper) return `${name} is a super user and has all permissions.`
    if (isSelf) return "You can't change your own permissions."
    const administer = can(Func.users, Opr.administer)
    return whyFixed({ lock: user.lock, endpoint: users.update, administer }, holds)
  }
  return (
    <Loaded query={both(own, granted)} what="these permissions" shape={<MatrixSkeleton />}>
      {([ofUser, ofType]) => {
        const inherited = isSuper ? EVERYTHING : toCells(ofType.permissions)
        const fixed = explainFixed()
        return (
          <PermissionEditor
            owner={{ kind: 'user', typeName: isSuper ? 'Super user status' : userTypeName }}
            name={name}
            affected={name}
            inherited={inherited}
            compared={inherited}
            saved={isSuper ? EVERYTHING : toCells(ofUser.permissions)}
            version={version}
            fixed={fixed}
            endpoint={users.update}
            schema={userRecord.schema}
            save={(permissions, over) => updateUser({ user: { id, version: over }, permissions })}
            load={() => loadGrants(id)}
            keep={(saved, cells) => {
              setUserInCache(saved)
              saveGrants(id, cells)
            }}
          />
        )
      }}
    </Loaded>
  )
}

async function loadGrants(id: string): Promise<Cells> {
  const { permissions } = await queryClient.fetchQuery({ ...query(users.permissions, { id }), staleTime: 0 })
  return toCells(permissions)
}

function saveGrants(id: string, cells: Cells): void {
  const granted = { isSuper: false, permissions: toPermissions(cells) }
  queryClient.setQueryData([...keyOf(users.permissions), { id }], granted)
}
