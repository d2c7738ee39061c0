/* reasons.h - the identifier of a refusal (reasons.def). */
#ifndef ILC_BASE_REASONS_H
#define ILC_BASE_REASONS_H

/* "ILC0007"; never NULL. reason as in ilc__diag. */
const char *ilc__reason_id(const char *reason);

#endif
