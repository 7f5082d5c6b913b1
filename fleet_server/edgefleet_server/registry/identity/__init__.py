"""Certificate authority, enrolment, download tickets."""
