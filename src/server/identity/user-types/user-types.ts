import type { userTypes } from '#contract/identity/user-types/user-types.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refuseWhileImpersonating } from './grant-limits.ts'
import { managesWholeTree } from './read-tree.ts'
import { walkTree } from './type-tree.ts'
import { addType, changeType } from './change-user-types.ts'
import { listUserTypes, readAllTypes, readGrants, readUserType } from './user-type-list.ts'

/**
 * User types of the current customer. Everyone with the permission may read them; changing one requires a
 * type above it.
 */
export const userTypeHandlers: Handlers<typeof userTypes> = {
  list: ({ db, actor, input }) => listUserTypes(db, actor, input),

  async forParent({ db, actor }) {
    const types = await readAllTypes(db, actor)
    return walkTree(types, managesWholeTree(actor) ? null : actor.userTypeId)
  },

  get: ({ db, actor, input }) => readUserType(db, actor, input.id),

  async permissions({ db, actor, input }) {
    await readUserType(db, actor, input.id)
    return { isSuper: false, permissions: await readGrants(db, actor, input.id) }
  },

  async add({ db, actor, input }) {
    return readUserType(db, actor, await addType(db, actor, input))
  },

  async update({ db, actor, input }) {
    await changeType(db, actor, input)
    return readUserType(db, actor, input.userType.id)
  },

  async remove({ db, actor, input }) {
    refuseWhileImpersonating(actor)
    const { lock, name } = await readUserType(db, actor, input.id)
    if (lock !== null) throw forbidden(lock)
    await requireSeen(db, input, {
      table: 'userTypes',
      noun: 'user type',
      read: () => readUserType(db, actor, input.id),
    })
    await refuseInUse(db, actor, input.id, name)
    try {
      await db.deleteFrom('userTypes').where('id', '=', input.id).execute()
    } catch (error) {
      // A user the actor can't see has this type, or it was assigned concurrently.
      if (isViolation(error, 'foreign key')) throw conflict(`${name} is in use.`)
      throw error
    }
    return null
  },
}

async function refuseInUse(db: Database, actor: Member, id: string, name: string): Promise<void> {
  const types = await readAllTypes(db, actor)
  const people = types.find((type) => type.id === id)?.people ?? 0
  const below = types.filter(({ parentId }) => parentId === id).length
  const uses = [
    ...(people > 0 ? [people === 1 ? '1 user has it' : `${people} users have it`] : []),
    ...(below > 0 ? [below === 1 ? '1 user type is below it' : `${below} user types are below it`] : []),
  ]
  if (uses.length > 0)
    throw conflict(`${name} is in use: ${uses.join(', and ')}. Move them to another user type first.`)
}
