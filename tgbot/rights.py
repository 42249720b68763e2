"""What Telegram's word for a member means: whether he is in the group, and whether he may write there."""

from telegram import ChatMember


def is_member(member: ChatMember) -> bool:
    """Whether he is in the group; somebody restricted may be outside."""
    restricted_outside = member.status == ChatMember.RESTRICTED and not getattr(member, "is_member", True)
    return member.status not in (ChatMember.LEFT, ChatMember.BANNED) and not restricted_outside


def may_write(member: ChatMember) -> bool:
    """Whether he is there and not muted."""
    muted = member.status == ChatMember.RESTRICTED and not getattr(member, "can_send_messages", True)
    return is_member(member) and not muted
