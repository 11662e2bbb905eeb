import { can, Func, Opr, type Permission } from '#contract/permissions.ts'

const READS_LEADS = can(Func.leads, Opr.read)

/** Whether a user may read who the buyers of leads are, how to reach them and what they wrote, wherever that is stored. */
export const readsBuyers = (actor: { may: (permission: Permission) => boolean }): boolean =>
  actor.may(READS_LEADS)
