/** Version of everything that decides which surrogate a value gets: lists, order of their use, generators. */
export const scheme = 'surrogate/v2'
