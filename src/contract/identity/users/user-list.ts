import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const USER_LIST = defineList({
  key: 'users',
  title: 'Users',
  nouns: ['user', 'users'],
  page: '/administration/users',
  allow: can(Func.users, Opr.list),
  exports: can(Func.users, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Name', kind: 'text', isSortable: true, isFixed: true },
    userName: { title: 'User name', kind: 'text', isSortable: true, isHidden: true },
    email: { title: 'Email', kind: 'text', isSortable: true },
    phone: { title: 'Phone', kind: 'text', isHidden: true },
    jobTitle: { title: 'Job title', kind: 'text', isHidden: true },
    userTypeId: { title: 'User type', kind: 'reference', refersTo: 'userTypes', isSortable: true },
    organizationIds: { title: 'Organizations', kind: 'references', refersTo: 'organizations' },
    state: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'invited', label: 'Invited' },
        { value: 'off', label: 'Deactivated' },
      ],
    },
    isSuper: { title: 'Super user', kind: 'flag', isHidden: true },
    differences: { title: 'Permission overrides', kind: 'integer', isHidden: true },
    lastSignInAt: { title: 'Last sign-in', kind: 'moment', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
  },
})
