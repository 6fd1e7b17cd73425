/** Every permission that an endpoint may ask for, with what it allows. Names are `resource:action`. */
export const defaultPermissions = {
  'rules:read': 'List and show own rules',
  'rules:write': 'Create, change and delete own rules',
  'rules:any': 'See and change the rules of everybody',
  'workflows:read': 'List and show own workflows',
  'workflows:write': 'Create, change and delete own workflows',
  'workflows:any': 'See and change the workflows of everybody',
  'jobs:read': 'List and show own jobs, and what was found in them',
  'jobs:write': 'Create, change and delete own jobs',
  'jobs:execute': 'Execute and cancel own jobs',
  'jobs:deliver': 'Write the results of own jobs to own sources',
  'jobs:any': 'See and change the jobs of everybody',
  'assets:read': 'Show and download own assets, results of jobs among them',
  'assets:write': 'Change and delete own assets',
  'assets:any': 'See and change the assets of everybody',
  'sources:read': 'List, show and preview own sources',
  'sources:write': 'Create, change, test and delete own sources',
  'sources:any': 'See and change the sources of everybody',
  'notifications:read': 'List own notifications and mark them as read',
  'users:manage': 'List, show, change, block and delete users, and reset their passwords',
  'roles:manage': 'Manage roles and permissions',
  'audit:read': 'Read the audit trail',
} as const

export type PermissionName = keyof typeof defaultPermissions
