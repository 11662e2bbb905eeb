import { queryOptions } from '@tanstack/react-query'
import { assessmentTargets, type Target } from '#contract/assessments/targets/targets.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { readAllPages } from '#web/ui/list/read-all-pages.ts'

/** All targets of an assessment within the user’s reach. There are at most 500. */
export const targetsOf = (assessment: string) =>
  queryOptions({
    queryKey: [...keyOf(assessmentTargets.list), { assessment, all: true }],
    queryFn: ({ signal }): Promise<Target[]> =>
      readAllPages((page) => call(assessmentTargets.list, { ...page, assessment, sort: 'name' }, { signal })),
  })
