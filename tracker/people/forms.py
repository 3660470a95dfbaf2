"""Forms about people: accounts, clubs and roles, players, lists of them, and teams."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import AS_TYPED, NamesField
from tracker.common.uploads import text_in
from tracker.models import Club, Player, Role, Team, User
from tracker.people.logic import login_name
from tracker.people.services.importing import MOST_LINES
from tracker.people.services.invitations import LONGEST_DAYS

# A phone would write "Asha" with a capital, or correct it to a word it knows.
AS_IT_IS = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _(
            "This user name and password do not go together."
            " In a password capital letters count: please try once more."
        ),
        "inactive": _("This account is closed. The club’s owner can open it again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.fields["username"].widget.attrs.update(AS_IT_IS)

    def clean_username(self) -> str:
        """Return the user name in its own capitals, where only one user can be meant."""
        typed: str = self.cleaned_data["username"]
        meant = User.objects.filter(username__iexact=typed).values_list("username", flat=True)[:2]
        return meant[0] if len(meant) == 1 else typed


class _NewPersonForm(forms.Form):
    """Somebody who will sign in from now on. The password is asked once: it can be looked at."""

    name = forms.CharField(
        label=_("Your name"),
        error_messages={"required": _("Tell us your name.")},
        max_length=Player.name.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("Choose a password"),
        help_text=_("Eight letters or more. A few words in a row are good, and easy to remember."),
        strip=False,
        error_messages={"required": _("Choose a password.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if password := given.get("password"):
            username = given.get("username") or login_name(given.get("name", ""))
            try:
                validate_password(password, User(username=username))
            except ValidationError as error:
                self.add_error("password", error)
        return given


class NewLoginForm(_NewPersonForm):
    username = forms.CharField(
        label=_("User name"),
        help_text=_("A short word to sign in with."),
        max_length=User.username.field.max_length,
        error_messages={"required": _("Choose a word to sign in with.")},
        validators=[
            UnicodeUsernameValidator(message=_("Letters, digits and @ . + - _ only, no spaces."))
        ],
        widget=forms.TextInput(attrs={"autocomplete": "username", **AS_IT_IS}),
    )
    field_order = ("name", "username", "password")


class FirstOwnerForm(_NewPersonForm):
    """The first of a site, who signs in by their first name."""

    club_name = forms.CharField(
        label=_("What is your club called?"),
        error_messages={"required": _("Your club needs a name; it can be changed later.")},
        max_length=Club.name.field.max_length,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "organization"}),
    )
    field_order = ("club_name", "name", "password")

    def answers(self) -> dict[str, str]:
        """Return what was answered, and the word they sign in with."""
        return {**self.cleaned_data, "username": login_name(self.cleaned_data["name"])}


class AccountForm(forms.Form):
    name = forms.CharField(
        label=_("Your name"),
        help_text=_("The organisers see it in the log."),
        max_length=Player.name.field.max_length,
        error_messages={"required": _("Tell us your name.")},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


def _ask_twice(form: forms.Form) -> None:
    """Ask for a new password in the site's own words."""
    for name, label, help_text in (
        ("new_password1", _("New password"), _NewPersonForm.base_fields["password"].help_text),
        ("new_password2", _("The same password again"), ""),
    ):
        form.fields[name].label, form.fields[name].help_text = label, help_text


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    error_messages = {"password_mismatch": _("These two differ. Please write it once more.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_twice(self)


class ChangePasswordForm(PasswordChangeForm):
    error_messages = {
        **NewPasswordForm.error_messages,
        "password_incorrect": _("That is not your password. Please try once more."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Your password now")
        _ask_twice(self)


# A club -------------------------------------------------------------------------------------------

# What each may do, in the words of a page.
ROLES = (
    (Role.MEMBER, _("Member: reads everything, also in a private club")),
    (Role.SCORER, _("Scorer: settles and corrects results")),
    (Role.ORGANISER, _("Organiser: runs the nights")),
    (Role.OWNER, _("Owner: everything, members and roles too")),
)


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Club
        fields = ("name", "public")
        labels = {"name": _("What is the club called?"), "public": _("Anybody may read it")}
        help_texts = {
            "public": _(
                "Standings, results and names. Without it only those you signed up see"
                " anything; tables report through their cards all the same."
            )
        }
        error_messages = {"name": {"required": _("Please write a name.")}}


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("Role"),
        choices=ROLES,
        coerce=Role,
        initial=Role.MEMBER,
        widget=forms.RadioSelect,
    )


class InviteForm(RoleForm):
    many = forms.BooleanField(
        label=_("Anyone with the link"),
        help_text=_("For a group chat or a poster. Without it the link works once."),
        required=False,
    )
    days = forms.IntegerField(
        label=_("Valid for (days)"), min_value=1, max_value=LONGEST_DAYS, initial=14
    )


class ClaimForm(forms.Form):
    """Somebody says "this is me" of a player of the club whom nobody signs in as."""

    player = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Which of these players are you?"),
        empty_label=_("Choose…"),
        error_messages={"required": _("Please choose your name.")},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        free = Player.objects.present().filter(club=club, user=None)
        self.fields["player"].queryset = free.order_by("name_key")  # type: ignore[attr-defined]


# Players and teams --------------------------------------------------------------------------------


class AddPlayersForm(forms.Form):
    names = NamesField(
        label=_("Who is new?"),
        help_text=_("One name, or many: one a line, or with commas between."),
        error_messages={"required": _("Please write at least one name.")},
        rows=4,
    )
    visitor_from = forms.CharField(
        label=_("Visiting from"),
        help_text=_("Their home club; leave it empty for your own people."),
        max_length=Player.visitor_from.field.max_length,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("They count for the season too"),
        help_text=_("Otherwise it counts for the night alone."),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Let your own people count, whatever is ticked about visitors."""
        given = self.cleaned_data
        given["in_season"] = bool(given.get("in_season") or not given.get("visitor_from"))
        return given


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Player
        fields = ("name", "full_name", "visitor_from", "in_season")
        labels = {
            "name": _("Name"),
            "full_name": _("Full name"),
            "visitor_from": _("Visiting from"),
            "in_season": _("Counts for the season"),
        }
        help_texts = {
            "name": _("What everybody reads. A nickname is fine."),
            "full_name": _("The name behind a nickname. Only organisers see it."),
            "visitor_from": _("The home club of a visitor; empty for your own people."),
            "in_season": _("Without this it counts for the night alone, as for visitors."),
        }
        error_messages = {"name": {"required": _("Please write a name.")}}
        widgets = {
            "name": forms.TextInput(attrs=AS_TYPED),
            "full_name": forms.TextInput(attrs=AS_TYPED),
        }


class SearchForm(forms.Form):
    q = forms.CharField(
        label=_("Find a name"),
        max_length=Player.name.field.max_length,
        required=False,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "placeholder": _("Find a name")}
        ),
    )


class EraseForm(forms.Form):
    """Asks what teams are called from now on that were called after a forgotten player."""

    sure = forms.BooleanField(
        label=_("I know that this cannot be undone"),
        error_messages={"required": _("Tick this if you are sure: it cannot be undone.")},
    )

    def __init__(self, teams: Iterable[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = tuple(teams)
        for team in self.teams:
            self.fields[f"team_{team.pk}"] = forms.CharField(
                label=gettext("A new name for the team “%(team)s”") % {"team": team.name},
                max_length=Team.name.field.max_length,
                error_messages={"required": _("Please write a name.")},
            )
        self.order_fields([*(f"team_{team.pk}" for team in self.teams), "sure"])

    @property
    def team_names(self) -> dict[int, str]:
        """Return the new names by the keys of their teams."""
        return {team.pk: self.cleaned_data[f"team_{team.pk}"] for team in self.teams}


MOST_BYTES = 2_000_000


class ImportForm(forms.Form):
    """A file's list is shown as text, so that it can be put right on the spot."""

    file = forms.FileField(
        label=_("A file"),
        help_text=_("CSV or XLSX, as a spreadsheet saves it."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.xlsx"}),
    )
    text = forms.CharField(
        label=_("Or the list itself"),
        help_text=_(
            "The first line names the columns: Name, and if you like Nickname, Home club, Season"
            " (yes or no). Paste it from a spreadsheet, or put commas between."
        ),
        max_length=200_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if file := given.get("file"):
            try:
                given["text"] = text_in(file.read(), most_bytes=MOST_BYTES, most_lines=MOST_LINES)
            except ValueError:
                self.add_error(
                    "file",
                    _("This file cannot be read. Save the list as CSV or XLSX, up to 2 megabytes."),
                )
            else:
                # A browser does not send the file again; the text stands for it.
                self.data = {"text": given["text"]}
        elif not str(given.get("text", "")).strip() and not self.errors:
            self.add_error("text", _("Choose a file, or paste the list here."))
        return given


class MergeForm(forms.Form):
    into = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Merge into"),
        help_text=_("This name stays, and everything played goes there."),
        empty_label=_("Choose…"),
        error_messages={
            "required": _("Please choose somebody."),
            "invalid_choice": _("That player is not in this club any more. Please choose again."),
        },
    )

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Player.objects.present().filter(club=player.club_id).exclude(pk=player.pk)
        self.fields["into"].queryset = others.order_by("name_key")  # type: ignore[attr-defined]


class TeamForm(forms.ModelForm):  # type: ignore[type-arg]
    # Trap: a ModelMultipleChoiceField falls over a key that no database can hold.
    roster = forms.TypedMultipleChoiceField(
        label=_("Who is in it?"),
        coerce=int,
        error_messages={
            "required": _("Tap the people of this team, two or more."),
            "invalid_choice": _("Somebody you chose has left this club. Please choose again."),
        },
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Team
        fields = ("name",)
        labels = {"name": _("Name of the team")}
        help_texts = {"name": _("Left empty, it is called after its people: “Asha & Juma”.")}

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Player.objects.present().filter(club=club).order_by("name_key")
        self.people = dict(people.values_list("pk", "name"))
        self.fields["roster"].choices = list(self.people.items())  # type: ignore[attr-defined]
        self.fields["name"].required = False
        if self.instance.pk is not None:
            self.initial["roster"] = list(self.instance.roster.values_list("pk", flat=True))

    def answers(self) -> dict[str, Any]:
        """Return what the team is called, by default after its people, and who they are."""
        players = self.cleaned_data["roster"]
        after_people = " & ".join(self.people[player] for player in players)
        return {"name": self.cleaned_data["name"] or after_people, "players": players}
